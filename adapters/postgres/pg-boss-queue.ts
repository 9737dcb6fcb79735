import type { Job, PgBoss } from 'pg-boss';
import type { WorkQueue } from '../../core/kernel/work-queue.ts';
import type { LaneSql } from './writer-lane.ts';

/** How soon jobs are found that no notification tells of: repeated ones, and those of a worker that died. */
const POLLING = { batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 } as const;

/**
 * A worker that is killed stops its heartbeat; the monitor of any other process hands its jobs out again. Ten seconds
 * is the shortest that pg-boss takes. A worker that starts alone does not wait for that, see `PgBossQueues.start`.
 */
const QUEUE_SETTINGS = {
  heartbeatSeconds: 10,
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  deleteAfterSeconds: 3_600,
  notify: true,
} as const;

/** A job as it stands in the tables of pg-boss. */
export interface QueuedJob {
  /** Of its queue. */
  readonly name: string;
  readonly data: object;
}

export interface PgBossQueueSettings {
  readonly boss: PgBoss;
  readonly name: string;
  /** Jobs handled at once by this process. */
  readonly concurrency: number;
  /** How long one job may take, at most a day. */
  readonly expireInSeconds: number;
  stop(graceMs: number): Promise<void>;
}

/** One kind of jobs in pg-boss, on the database that holds what they are about. */
export class PgBossQueue<T extends object> implements WorkQueue<T> {
  readonly #settings: PgBossQueueSettings;

  constructor(settings: PgBossQueueSettings) {
    this.#settings = settings;
  }

  /** The queue, and the one of jobs that failed for good. */
  get names(): readonly [string, string] {
    const { name } = this.#settings;
    return [name, `${name}_given_up`];
  }

  async create(): Promise<void> {
    const { boss, expireInSeconds } = this.#settings;
    const [queue, givenUp] = this.names;
    await boss.createQueue(givenUp, { retryLimit: 10, retryDelay: 5, retryBackoff: true, deleteAfterSeconds: 3_600 });
    await boss.createQueue(queue, { ...QUEUE_SETTINGS, expireInSeconds, deadLetter: givenUp });
  }

  /** Hands out again what is under way, as it was left by a worker that is gone. */
  async handOutAgain(): Promise<void> {
    const { boss } = this.#settings;
    for (const queue of this.names) {
      const statement = "select id from pgboss.job where name = $1 and state = 'active'";
      const { rows } = await boss.getDb().executeSql(statement, [queue]);
      const ids = rows.map(({ id }: { id: string }) => id);
      if (ids.length > 0) await boss.fail(queue, ids, { message: 'the worker is gone' });
    }
  }

  /** Adds jobs by the given connection, inside whatever transaction is open on it. */
  readonly enqueueWithin = async (sql: LaneSql, jobs: readonly T[]): Promise<void> => {
    await this.#settings.boss.insert(
      this.#settings.name,
      jobs.map((data) => ({ data })),
      { db: sql },
    );
  };

  /** Adds those of the jobs that were of this queue; what was given up is tried once more. */
  async putBackWithin(sql: LaneSql, jobs: readonly QueuedJob[]): Promise<void> {
    const own = jobs.filter(({ name }) => this.names.includes(name));
    if (own.length > 0)
      await this.enqueueWithin(
        sql,
        own.map(({ data }) => data as T),
      );
  }

  async work(handle: (job: T, signal: AbortSignal) => Promise<void>, giveUp: (job: T) => Promise<void>): Promise<void> {
    const [queue, givenUp] = this.names;
    for (let worker = 0; worker < this.#settings.concurrency; worker += 1) {
      await this.#startWorker(queue, (job) => handle(job.data, job.signal));
    }
    await this.#startWorker(givenUp, (job) => giveUp(job.data));
  }

  stop(graceMs: number): Promise<void> {
    return this.#settings.stop(graceMs);
  }

  async depth(): Promise<number> {
    const [stats] = await this.#settings.boss.getQueueStats(this.#settings.name, { force: true });
    return stats ? stats.queuedCount + stats.activeCount : 0;
  }

  /**
   * One job at a time. After each the worker looks for the next at once: pg-boss by itself would wait for the next
   * notification, or as long as its polling interval, however many jobs are there.
   */
  async #startWorker(queue: string, handle: (job: Job<T>) => Promise<void>): Promise<void> {
    const { boss } = this.#settings;
    let id: string | undefined;
    id = await boss.work<T>(queue, POLLING, async ([job]) => {
      try {
        if (job) await handle(job);
      } finally {
        if (id !== undefined) boss.notifyWorker(id);
      }
    });
  }
}
