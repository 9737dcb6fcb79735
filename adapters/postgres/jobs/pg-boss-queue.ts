import type { PgBoss } from 'pg-boss';
import type { FairShareSettings } from '../../../core/kernel/fairness/fair-share.ts';
import type { Log } from '../../../core/kernel/ports.ts';
import { Deferred, type WorkQueue } from '../../../core/kernel/work-queue.ts';
import type { WriterSql } from '../traces/writer-connection.ts';
import { FairWorker, type FairWorkerDeps } from './fair-worker.ts';

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

export interface PgBossQueueSettings<T> {
  readonly boss: PgBoss;
  readonly name: string;
  /** Jobs handled at once by this process. */
  readonly share: FairShareSettings;
  /** How long one job may take, at most a day. */
  readonly expireInSeconds: number;
  readonly log: Log;
  /** Whose turn it is when the job is handed out. */
  getOwner(job: T): string;
  /** How waiting jobs are done as one; absent: each by itself. */
  readonly join?: JobJoin<T>;
  stop(graceMs: number): Promise<void>;
}

/**
 * Jobs of one owner that are equal but for these lists, and were never begun, are handed out as one job, whose lists hold the
 * entries of all. When it fails, each of them is repeated by itself.
 */
export interface JobJoin<T> {
  readonly lists: readonly (keyof T & string)[];
  /** Entries of a joined job at most. */
  readonly maxEntries: number;
}

/** Jobs that failed for good, one after the other. */
const ONE_AT_ONCE: FairShareSettings = { slots: 1, perKey: 1 };

/** One kind of jobs in pg-boss, on the database that holds what they are about. */
export class PgBossQueue<T extends object> implements WorkQueue<T> {
  readonly #settings: PgBossQueueSettings<T>;
  readonly #workers = new Map<string, FairWorker<T>>();

  constructor(settings: PgBossQueueSettings<T>) {
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
  readonly enqueueWithin = async (sql: WriterSql, jobs: readonly T[]): Promise<void> => {
    await this.#settings.boss.insert(
      this.#settings.name,
      jobs.map((job) => this.#inserted(job)),
      { db: sql },
    );
  };

  async put(job: T): Promise<void> {
    await this.#settings.boss.insert(this.#settings.name, [this.#inserted(job)]);
  }

  /** Adds those of the jobs that were of this queue; what was given up is tried once more. */
  async putBackWithin(sql: WriterSql, jobs: readonly QueuedJob[]): Promise<void> {
    const own = jobs.filter(({ name }) => this.names.includes(name));
    if (own.length > 0)
      await this.enqueueWithin(
        sql,
        own.map(({ data }) => data as T),
      );
  }

  async work(handle: (job: T, signal: AbortSignal) => Promise<void>, giveUp: (job: T) => Promise<void>): Promise<void> {
    const [queue, givenUp] = this.names;
    const { share, join = NO_JOIN } = this.#settings;
    const handleJoined = (jobs: readonly T[], signal: AbortSignal) => this.#orDefer(handle(joined(jobs, join), signal));
    this.#start({ queue, share, claims: join, handle: handleJoined });
    this.#start({ queue: givenUp, share: ONE_AT_ONCE, claims: NO_JOIN, handle: ([job]) => giveUp(job!) });
  }

  /** There may be a job in the queue of this name. */
  wake(queue: string): void {
    this.#workers.get(queue)?.wake();
  }

  wakeAll(): void {
    for (const worker of this.#workers.values()) worker.wake();
  }

  stop(graceMs: number): Promise<void> {
    return this.#settings.stop(graceMs);
  }

  async stopWorking(graceMs: number): Promise<void> {
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.stop(graceMs)));
  }

  async depth(): Promise<number> {
    const [stats] = await this.#settings.boss.getQueueStats(this.#settings.name, { force: true });
    return stats ? stats.queuedCount + stats.activeCount : 0;
  }

  #start(settings: Pick<FairWorkerDeps<T>, 'queue' | 'share' | 'claims' | 'handle'>): void {
    const { boss, log } = this.#settings;
    const { queue } = settings;
    const onError = (error: unknown): void => log.warn('job queue', { queue, error: String(error) });
    this.#workers.set(queue, new FairWorker<T>({ ...settings, boss, onError }));
  }

  /** Puts deferred work back as a new job: a process that dies in between leaves two, which does no harm. */
  async #orDefer(handled: Promise<void>): Promise<void> {
    try {
      await handled;
    } catch (error) {
      if (!(error instanceof Deferred) || error.job === undefined) throw error;
      const startAfter = new Date(Date.now() + error.delayMs);
      await this.#settings.boss.insert(this.#settings.name, [{ ...this.#inserted(error.job as T), startAfter }]);
    }
  }

  #inserted(data: T): { data: T; group: { id: string } } {
    return { data, group: { id: this.#settings.getOwner(data) } };
  }
}

const NO_JOIN = { lists: [], maxEntries: 1 } as const;

/** The first of the jobs with the lists of all, each entry once. */
function joined<T extends object>(jobs: readonly T[], { lists }: JobJoin<T>): T {
  const [first] = jobs;
  if (jobs.length === 1) return first!;
  const entries = lists
    .filter((list) => jobs.some((job) => job[list] !== undefined))
    .map((list) => [list, [...new Set(jobs.flatMap((job) => (job[list] as readonly unknown[] | undefined) ?? []))]]);
  return { ...first!, ...Object.fromEntries(entries) };
}
