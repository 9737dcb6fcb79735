import type { Socket } from 'node:net';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import type { JobTicket } from '../../core/jobs/job-store.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { ScoringJob } from '../../core/scorers/scoring-queue.ts';
import { PgBossQueue, type QueuedJob } from './pg-boss-queue.ts';
import type { LaneSql } from './writer-lane.ts';

/** What connections of a process that takes jobs are called, for others to see that it lives. */
const WORKER = 'touchstone worker';
const CONNECT_MS = 2_000;
/**
 * Short of a day, the longest that pg-boss takes: judges may take long over a job, and each of their calls has a limit of its
 * own. A worker that dies is told by its heartbeat.
 */
const JOB_SECONDS = 86_000;
/** For each of the other jobs at once: a judge that waits for its model must not hold up what code could score. */
const SCORING_JOBS = 3;

export interface PgBossSettings {
  readonly url: string;
  /** Jobs of each kind handled at once by this process. */
  readonly concurrency: number;
  /** False: this process only adds jobs. */
  readonly takesJobs?: boolean;
  /** Where connections get their sockets from, for whoever wants to end them all. */
  readonly stream?: () => Socket;
  readonly log: Log;
}

/** All queues of the service, on one pg-boss. */
export class PgBossQueues {
  readonly scoring: PgBossQueue<ScoringJob>;
  readonly jobs: PgBossQueue<JobTicket>;
  readonly #boss: PgBoss;
  readonly #url: string;
  readonly #takesJobs: boolean;

  constructor({ url, concurrency, takesJobs = true, stream, log }: PgBossSettings) {
    this.#url = url;
    this.#takesJobs = takesJobs;
    // Handed on to `pg` as it is, which pg-boss's types do not say.
    const ours = stream && { stream };
    const boss = new PgBoss({
      ...ours,
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
    boss.on('error', (error) => log.warn('job queue', { error: error.message }));
    boss.on('warning', ({ message }) => log.warn('job queue', { warning: message }));
    this.#boss = boss;
    const shared = { boss, concurrency, stop: (graceMs: number) => this.stop(graceMs) };
    this.scoring = new PgBossQueue({
      ...shared,
      name: 'scoring',
      concurrency: concurrency * SCORING_JOBS,
      expireInSeconds: JOB_SECONDS,
    });
    this.jobs = new PgBossQueue({ ...shared, name: 'jobs', expireInSeconds: JOB_SECONDS });
  }

  /**
   * Creates the tables where they are missing. Called under the migration lock, so that of workers that start at once
   * the second sees the first. When no other worker lives, jobs under way are what a killed one left: they are handed
   * out again at once. Should one live after all, unseen, a job is done twice; what it writes is still written once.
   */
  async start(): Promise<void> {
    const isAlone = this.#takesJobs && !(await workerLives(this.#url));
    await this.#boss.start();
    for (const queue of [this.scoring, this.jobs]) {
      await queue.create();
      if (isAlone) await queue.handOutAgain();
    }
  }

  /** Puts jobs back that a backup holds, within the transaction that `sql` is in. */
  async putBackWithin(sql: LaneSql, jobs: readonly QueuedJob[]): Promise<void> {
    for (const queue of [this.scoring, this.jobs]) await queue.putBackWithin(sql, jobs);
  }

  async stop(graceMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, close: true, timeout: graceMs });
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
