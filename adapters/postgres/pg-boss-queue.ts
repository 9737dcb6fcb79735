import { type Job, PgBoss } from 'pg-boss';
import type { Log } from '../../core/kernel/ports.ts';
import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring-queue.ts';
import type { LaneSql } from './writer-lane.ts';

const QUEUE = 'scoring';
/** Jobs that failed for good. */
const GIVEN_UP = 'scoring_given_up';

/**
 * A worker that is killed stops its heartbeat; the monitor of any other process, or of the next start, hands its jobs
 * out again. Ten seconds is the shortest that pg-boss takes.
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
  readonly log: Log;
}

/** Scoring jobs in pg-boss, on the database that holds the records. */
export class PgBossQueue implements ScoringQueue {
  readonly #boss: PgBoss;
  readonly #concurrency: number;

  constructor({ url, concurrency, log }: PgBossQueueSettings) {
    this.#concurrency = concurrency;
    this.#boss = new PgBoss({
      connectionString: url,
      application_name: 'touchstone jobs',
      max: 4,
      connectionTimeoutMillis: 2_000,
      schedule: false,
      useListenNotify: true,
      monitorIntervalSeconds: 5,
      superviseIntervalSeconds: 5,
      reindex: false,
    });
    this.#boss.on('error', (error) => log.warn('job queue', { error: error.message }));
    this.#boss.on('warning', ({ message }) => log.warn('job queue', { warning: message }));
  }

  /** Creates the tables where they are missing. Called under the migration lock. */
  async start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(GIVEN_UP, { retryLimit: 10, retryDelay: 5, retryBackoff: true, deleteAfterSeconds: 3_600 });
    await this.#boss.createQueue(QUEUE, { ...QUEUE_SETTINGS, deadLetter: GIVEN_UP });
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
