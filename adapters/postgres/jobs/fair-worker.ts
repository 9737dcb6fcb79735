import type { PgBoss } from 'pg-boss';
import { AppError } from '../../../core/kernel/errors.ts';
import { FairShare, type FairShareSettings } from '../../../core/kernel/fairness/fair-share.ts';
import { PluginError } from '../../../core/plugin-sdk/plugin.ts';
import { BatchedStatement, type BatchSettings } from '../database/batched-statement.ts';
import { isUnavailable } from '../database/database-failure.ts';
import { type ClaimedJob, type ClaimSettings, claimJobs, findReadyGroups, postponeJobs } from './job-statements.ts';

export interface FairWorkerDeps<T> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly share: FairShareSettings;
  readonly claims: ClaimSettings;
  /** Does jobs that were claimed as one batch. Its rejection fails each of them. */
  handle(jobs: readonly T[], signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

/** How soon jobs are found that no notification announces: repeated or deferred ones, and those of a worker that died. */
const POLL_MS = 2_000;
/** Half of the shortest heartbeat that pg-boss takes. */
const HEARTBEAT_MS = 5_000;
const ONE_LANE: BatchSettings = { maxAtOnce: 100, lanes: 1 };
/** Which of the claims still held, as pg-boss returns it without saying so in its types. */
interface Touched {
  readonly settled?: readonly string[];
}

/** Slots by group: what gives each of them back. */
type Reserved = Map<string, (() => void)[]>;

/** Of one batch. */
type Jobs<T> = readonly ClaimedJob<T>[];

/** A batch of jobs under way, in one slot. */
interface Claim<T extends object> {
  readonly jobs: Jobs<T>;
  readonly over: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Takes jobs of one queue for one process, for its groups in turns as `FairShare` says. pg-boss's own workers take the oldest job
 * first, whoever it belongs to, and poll with one query for each slot; its way to leave groups out reads all of their jobs.
 */
export class FairWorker<T extends object> {
  readonly #deps: FairWorkerDeps<T>;
  readonly #share: FairShare;
  readonly #claims = new Set<Claim<T>>();
  /** Jobs that end together are completed together, so that their slots are filled together. */
  readonly #completing = new BatchedStatement((ended: readonly Jobs<T>[]) => this.#complete(ended), ONE_LANE);
  readonly #poll: NodeJS.Timeout;
  readonly #heartbeat: NodeJS.Timeout;
  #taking: Promise<void> | undefined;
  #isWoken = false;
  #isStopping = false;
  /** Where the next look goes on, when there are more groups than are looked at in one go. */
  #after: string | undefined;

  constructor(deps: FairWorkerDeps<T>) {
    this.#deps = deps;
    this.#share = new FairShare(deps.share, () => performance.now());
    this.#poll = setInterval(() => this.wake(), POLL_MS);
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isStopping) return;
    this.#taking ??= this.#take()
      .catch((error: unknown) => this.#deps.onError(error))
      .finally(() => {
        this.#taking = undefined;
        if (this.#isWoken && this.#share.free > 0) this.wake();
      });
  }

  /** Takes no more; jobs that are not done in time are failed, to be repeated, and told by their signal. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#poll);
    await this.#taking;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, graceMs);
    await Promise.race([Promise.all([...this.#claims].map(({ ended }) => ended)), limit.promise]);
    clearTimeout(timer);
    clearInterval(this.#heartbeat);
    await this.#abandon();
  }

  async #take(): Promise<void> {
    while (this.#share.free > 0 && !this.#isStopping) {
      this.#isWoken = false;
      const groups = new Set(await this.#findReadyGroups());
      if (!(await this.#claimFrom(groups))) return;
    }
  }

  /** Those of the next groups, and of the first ones where these are the last. */
  async #findReadyGroups(): Promise<string[]> {
    const database = this.#deps.boss.getDb();
    const after = this.#after;
    const found = await findReadyGroups(database, this.#deps.queue, after);
    const first =
      found.after === undefined && after !== undefined && (await findReadyGroups(database, this.#deps.queue, undefined));
    this.#after = first ? first.after : found.after;
    return [...found.groups, ...(first ? first.groups : [])];
  }

  /** Fills the free slots by one statement, and by another where somebody else was faster. Returns whether there was any job. */
  async #claimFrom(groups: Set<string>): Promise<boolean> {
    let hasClaimed = false;
    for (let slots = this.#reserve(groups); slots.size > 0; slots = this.#reserve(groups)) {
      const wanted = new Map([...slots].map(([group, { length }]) => [group, length]));
      const claimed = await this.#claim(wanted, slots);
      for (const [group, most] of wanted) if ((claimed.get(group) ?? 0) < most) groups.delete(group);
      hasClaimed ||= claimed.size > 0;
    }
    return hasClaimed;
  }

  /** Begins what it gets, and gives the other slots back. Returns how many batches of each group those were. */
  async #claim(wanted: ReadonlyMap<string, number>, slots: Reserved): Promise<Map<string, number>> {
    const claimed = new Map<string, number>();
    try {
      const { boss, queue, claims } = this.#deps;
      const jobs = await claimJobs<T>(boss.getDb(), queue, wanted, claims);
      for (const [group, own] of Map.groupBy(jobs, ({ groupId }) => groupId)) {
        const batches = Map.groupBy(own, ({ batch }) => batch);
        for (const batch of batches.values()) this.#begin(batch, slots.get(group)!.pop()!);
        claimed.set(group, batches.size);
      }
      return claimed;
    } finally {
      for (const release of [...slots.values()].flat()) release();
    }
  }

  /** Takes the free slots for the groups whose turn it is. Returns what gives them back. */
  #reserve(groups: ReadonlySet<string>): Reserved {
    const reserved: Reserved = new Map();
    if (this.#isStopping) return reserved;
    for (let group = this.#share.pick(groups); group !== undefined; group = this.#share.pick(groups)) {
      const slots = reserved.get(group) ?? [];
      slots.push(this.#share.begin(group));
      reserved.set(group, slots);
    }
    return reserved;
  }

  #begin(jobs: Jobs<T>, release: () => void): void {
    const over = new AbortController();
    const ended = this.#run(jobs, over.signal).finally(() => {
      this.#claims.delete(claim);
      release();
      this.wake();
    });
    const claim: Claim<T> = { jobs, over, ended };
    this.#claims.add(claim);
  }

  async #run(jobs: Jobs<T>, signal: AbortSignal): Promise<void> {
    const { handle, onError } = this.#deps;
    try {
      try {
        await handle(
          jobs.map(({ data }) => data),
          signal,
        );
        await this.#completing.ask(jobs);
      } catch (error) {
        await this.#fail(isOutage(error) && !signal.aborted ? await this.#notPostponed(jobs) : jobs, error);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  /** Without effect where the claim has lapsed, or the job was abandoned. */
  async #fail(jobs: Jobs<T>, error: unknown): Promise<void> {
    const { boss, queue } = this.#deps;
    if (jobs.length > 0) await boss.fail(queue, [...jobs], error instanceof Error ? error : new Error(String(error)));
  }

  async #notPostponed(jobs: Jobs<T>): Promise<ClaimedJob<T>[]> {
    const { boss, queue } = this.#deps;
    const postponed = await postponeJobs(
      boss.getDb(),
      queue,
      jobs.map(({ id }) => id),
    );
    return jobs.filter(({ id }) => !postponed.has(id));
  }

  async #complete(ended: readonly Jobs<T>[]): Promise<undefined[]> {
    await this.#deps.boss.complete(this.#deps.queue, ended.flat());
    return ended.map(() => undefined);
  }

  /** Keeps the claims alive, and ends what another worker has taken meanwhile. */
  async #beat(): Promise<void> {
    const claims = [...this.#claims];
    if (claims.length === 0) return;
    try {
      const touched: Touched = await this.#deps.boss.touch(
        this.#deps.queue,
        claims.flatMap(({ jobs }) => jobs),
      );
      const held = touched.settled && new Set(touched.settled);
      for (const { jobs, over } of claims)
        if (held && !jobs.every(({ id }) => held.has(id))) over.abort(new Error('the job is not this worker’s any more'));
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  async #abandon(): Promise<void> {
    const claims = [...this.#claims];
    if (claims.length === 0) return;
    const why = new Error('the worker stopped');
    try {
      await this.#fail(
        claims.flatMap(({ jobs }) => jobs),
        why,
      );
    } catch (error) {
      this.#deps.onError(error);
    }
    for (const { over } of claims) over.abort(why);
  }
}

/** Whether the failure says nothing about the job: the database was not there. A plugin's failure is one of what it calls. */
const isOutage = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'database_unavailable') ||
  (!(error instanceof PluginError) && isUnavailable(error));
