import { Client } from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import type { Log } from '../../core/kernel/ports.ts';
import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring-queue.ts';
import type { LaneSql } from './writer-lane.ts';

const QUEUE = 'scoring';
/** Jobs that failed for good. */
const GIVEN_UP = 'scoring_given_up';

/** What connections of a process that takes jobs are called, for others to see that it lives. */
const WORKER = 'touchstone worker';
const CONNECT_MS = 2_000;

/**
 * A worker that is killed stops its heartbeat; the monitor of any other process hands its jobs out again. Ten seconds
 * is the shortest that pg-boss takes. A worker that starts alone does not wait for that, see `start`.
 */
const QUEUE_SETTINGS = {
  heartbeatSeconds: 10,
  expireInSeconds: 900,
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  deleteAfterSeconds: 3_600,
  notify: true,
} as const;

/** How soon jobs are found that no notification tells of: repeated ones, and those of a worker that died. */
const POLLING = { batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 } as const;

export interface PgBossQueueSettings {
  readonly url: string;
  /** Jobs handled at once by this process. */
  readonly concurrency: number;
  /** False: this process only adds jobs. */
  readonly takesJobs?: boolean;
  readonly log: Log;
}

/** Scoring jobs in pg-boss, on the database that holds the records. */
export class PgBossQueue implements ScoringQueue {
  readonly #boss: PgBoss;
  readonly #url: string;
  readonly #concurrency: number;
  readonly #takesJobs: boolean;

  constructor({ url, concurrency, takesJobs = true, log }: PgBossQueueSettings) {
    this.#url = url;
    this.#concurrency = concurrency;
    this.#takesJobs = takesJobs;
    this.#boss = new PgBoss({
      connectionString: url,
      application_name: takesJobs ? WORKER : 'touchstone jobs',
      max: 4,
      connectionTimeoutMillis: CONNECT_MS,
      schedule: false,
      useListenNotify: true,
      monitorIntervalSeconds: 5,
      superviseIntervalSeconds: 5,
      reindex: false,
    });
    this.#boss.on('error', (error) => log.warn('job queue', { error: error.message }));
    this.#boss.on('warning', ({ message }) => log.warn('job queue', { warning: message }));
  }

  /**
   * Creates the tables where they are missing. Called under the migration lock, so that of workers that start at once
   * the second sees the first. When no other worker lives, jobs under way are what a killed one left: they are handed
   * out again at once. Should one live after all, unseen, a job is done twice; scores are still written once.
   */
  async start(): Promise<void> {
    const isAlone = this.#takesJobs && !(await workerLives(this.#url));
    await this.#boss.start();
    await this.#boss.createQueue(GIVEN_UP, { retryLimit: 10, retryDelay: 5, retryBackoff: true, deleteAfterSeconds: 3_600 });
    await this.#boss.createQueue(QUEUE, { ...QUEUE_SETTINGS, deadLetter: GIVEN_UP });
    if (isAlone) for (const queue of [QUEUE, GIVEN_UP]) await this.#handOutAgain(queue);
  }

  async #handOutAgain(queue: string): Promise<void> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql("select id from pgboss.job where name = $1 and state = 'active'", [queue]);
    const ids = rows.map(({ id }: { id: string }) => id);
    if (ids.length > 0) await this.#boss.fail(queue, ids, { message: 'the worker is gone' });
  }

  /** Adds jobs by the given connection, inside whatever transaction is open on it. */
  readonly enqueueWithin = async (sql: LaneSql, jobs: readonly ScoringJob[]): Promise<void> => {
    await this.#boss.insert(
      QUEUE,
      jobs.map((data) => ({ data })),
      { db: sql },
    );
  };

  async work(
    score: (job: ScoringJob, signal: AbortSignal) => Promise<void>,
    giveUp: (job: ScoringJob) => Promise<void>,
  ): Promise<void> {
    for (let worker = 0; worker < this.#concurrency; worker += 1) {
      await this.#startWorker(QUEUE, (job) => score(job.data, job.signal));
    }
    await this.#startWorker(GIVEN_UP, (job) => giveUp(job.data));
  }

  async stop(graceMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, close: true, timeout: graceMs });
  }

  async depth(): Promise<number> {
    const [stats] = await this.#boss.getQueueStats(QUEUE, { force: true });
    return stats ? stats.queuedCount + stats.activeCount : 0;
  }

  /**
   * One job at a time. After each the worker looks for the next at once: pg-boss by itself would wait for the next
   * notification, or as long as its polling interval, however many jobs are there.
   */
  async #startWorker(queue: string, handle: (job: Job<ScoringJob>) => Promise<void>): Promise<void> {
    let id: string | undefined;
    id = await this.#boss.work<ScoringJob>(queue, POLLING, async ([job]) => {
      try {
        if (job) await handle(job);
      } finally {
        if (id !== undefined) this.#boss.notifyWorker(id);
      }
    });
  }
}

async function workerLives(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query(
      'select from pg_stat_activity where application_name = $1 and datname = current_database() limit 1',
      [WORKER],
    );
    return rowCount !== 0;
  } finally {
    await client.end();
  }
}
