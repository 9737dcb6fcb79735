import type { Socket } from 'node:net';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import type { JobMessage } from '../../../core/jobs/job-store.ts';
import type { FairShareSettings } from '../../../core/kernel/fairness/fair-share.ts';
import type { Log } from '../../../core/kernel/ports.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { WriterSql } from '../traces/writer-connection.ts';
import { createIndexes } from './job-statements.ts';
import { type JobJoin, PgBossQueue, type QueuedJob } from './pg-boss-queue.ts';

/** Name of the connections of a process that takes jobs, for others to see that it lives. */
const WORKER = 'touchstone worker';
const CONNECT_MS = 2_000;
/**
 * Short of a day, the longest that pg-boss takes: judges may take long over a job, and each of their calls has a limit of its
 * own. A worker that dies is told by its heartbeat.
 */
const JOB_SECONDS = 86_000;
/**
 * Slots of the queues, for each of the other jobs at once, and how many of them a project may hold. Code shares few processes;
 * judges mostly wait for their models, and must not hold up what code could score.
 */
const CODE_JOBS = { slots: 5, perKey: 2 };
const MODEL_JOBS = { slots: 12, perKey: 2 };
const OTHER_JOBS = { slots: 3, perKey: 1 };
/**
 * A call of a program costs the same for one record as for ten, so what waits for it is judged together. At most as many traces
 * as are judged before a slow job has to hand its slot back.
 */
const JOIN: JobJoin<ScoringJob> = { lists: ['trace_ids', 'session_ids'], maxEntries: 100 };
/** Of pg-boss, in its schema: see `notifyChannelSql` there. */
const CHANNEL_SQL = "select 'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24) as channel";

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

/** A queue, whatever its jobs are. */
type AnyQueue = Pick<PgBossQueue<object>, 'create' | 'handOutAgain' | 'putBackWithin' | 'wake' | 'wakeAll' | 'stopWorking'>;

/** All queues of the service, on one pg-boss. */
export class PgBossQueues {
  readonly scoring: PgBossQueue<ScoringJob>;
  /** Queue of scoring that calls models: it waits for them on slots of its own. */
  readonly modelScoring: PgBossQueue<ScoringJob>;
  readonly jobs: PgBossQueue<JobMessage>;
  readonly #boss: PgBoss;
  readonly #url: string;
  readonly #takesJobs: boolean;
  readonly #all: readonly AnyQueue[];
  #listening: { close(): Promise<void> } | undefined;

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
      monitorIntervalSeconds: 5,
      superviseIntervalSeconds: 5,
      reindex: false,
    });
    boss.on('error', (error) => log.warn('job queue', { error: error.message }));
    boss.on('warning', ({ message }) => log.warn('job queue', { warning: message }));
    this.#boss = boss;
    const shared = { boss, log, expireInSeconds: JOB_SECONDS, stop: (graceMs: number) => this.stop(graceMs) };
    const times = ({ slots, perKey }: FairShareSettings) => ({ slots: slots * concurrency, perKey: perKey * concurrency });
    const getOwner = ({ project_id }: ScoringJob): string => project_id;
    this.scoring = new PgBossQueue({ ...shared, name: 'scoring', share: times(CODE_JOBS), getOwner, join: JOIN });
    this.modelScoring = new PgBossQueue({ ...shared, name: 'model_scoring', share: times(MODEL_JOBS), getOwner });
    this.jobs = new PgBossQueue({
      ...shared,
      name: 'jobs',
      share: times(OTHER_JOBS),
      getOwner: ({ owner_id }) => owner_id ?? '',
    });
    this.#all = [this.scoring, this.modelScoring, this.jobs];
  }

  /**
   * Creates the tables where they are missing. Called under the migration lock, so that of workers that start at once
   * the second sees the first. When no other worker lives, jobs under way are what a killed one left: they are handed
   * out again at once. Should one live after all, unseen, a job is done twice; what it writes is still written once.
   */
  async start(): Promise<void> {
    const isAlone = this.#takesJobs && !(await workerLives(this.#url));
    await this.#boss.start();
    for (const queue of this.#all) {
      await queue.create();
      if (isAlone) await queue.handOutAgain();
    }
    await createIndexes(this.#boss.getDb());
    if (this.#takesJobs) await this.#listen();
  }

  /** Puts jobs back that a backup holds, within the transaction that `sql` is in. */
  async putBackWithin(sql: WriterSql, jobs: readonly QueuedJob[]): Promise<void> {
    for (const queue of this.#all) await queue.putBackWithin(sql, jobs);
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#all.map((queue) => queue.stopWorking(graceMs)));
    await this.#listening?.close();
    this.#listening = undefined;
    await this.#boss.stop({ graceful: true, close: true, timeout: graceMs });
  }

  /** Whoever adds a job notifies this channel. Where that cannot be had, jobs are found by polling. */
  async #listen(): Promise<void> {
    const database = this.#boss.getDb();
    const { rows } = await database.executeSql(CHANNEL_SQL);
    const wake = (name: string): void => {
      for (const queue of this.#all) queue.wake(name);
    };
    const wakeAll = (): void => {
      for (const queue of this.#all) queue.wakeAll();
    };
    this.#listening = await database.listen?.(rows[0].channel, wake, wakeAll);
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
