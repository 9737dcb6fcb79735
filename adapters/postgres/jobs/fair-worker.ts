import type { Job, PgBoss } from 'pg-boss';
import { FairShare, type FairShareSettings } from '../../../core/kernel/fairness/fair-share.ts';

export interface FairWorkerDeps<T> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly share: FairShareSettings;
  /** Its rejection fails the job. */
  handle(job: T, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

/** How soon jobs are found that no notification tells of: repeated or deferred ones, and those of a worker that died. */
const POLL_MS = 2_000;
/** Half of the shortest heartbeat that pg-boss takes. */
const HEARTBEAT_MS = 5_000;
/** A look past the jobs of some groups may have to read all of them: it takes this share of the time at most. */
const PROBE_DUTY_CYCLE = 10;

/** Which of the claims still held, as pg-boss returns it without saying so in its types. */
interface Touched {
  readonly settled?: readonly string[];
}

interface Claim<T extends object> {
  readonly job: Job<T>;
  readonly over: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Takes jobs of one queue for one process: round-robin over their groups, with a limit for each group. pg-boss's own workers
 * take the oldest job first, whoever it belongs to, and poll with one query for each slot.
 */
export class FairWorker<T extends object> {
  readonly #deps: FairWorkerDeps<T>;
  readonly #share: FairShare;
  readonly #claims = new Map<string, Claim<T>>();
  readonly #poll: NodeJS.Timeout;
  readonly #heartbeat: NodeJS.Timeout;
  #taking: Promise<void> | undefined;
  #isWoken = false;
  #isStopping = false;
  /** Groups besides which there was nothing when that was last looked for, and when it may be looked for again. */
  #foundNothingBeside: readonly string[] = [];
  #probeAt = 0;
  #probe: NodeJS.Timeout | undefined;

  constructor(deps: FairWorkerDeps<T>) {
    this.#deps = deps;
    this.#share = new FairShare(deps.share);
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
    clearTimeout(this.#probe);
    await this.#taking;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, graceMs);
    await Promise.race([Promise.all([...this.#claims.values()].map(({ ended }) => ended)), limit.promise]);
    clearTimeout(timer);
    clearInterval(this.#heartbeat);
    await this.#abandon();
  }

  async #take(): Promise<void> {
    while (this.#share.free > 0 && !this.#isStopping) {
      this.#isWoken = false;
      let job = await this.#fetch();
      if (!job && this.#share.newRound()) job = await this.#fetch();
      if (!job) return;
      this.#begin(job);
    }
  }

  async #fetch(): Promise<Job<T> | undefined> {
    const { boss, queue } = this.#deps;
    const ignoreGroups = this.#share.passedOver;
    const began = performance.now();
    if (began < this.#probeAt && this.#foundNothingBeside.every((group) => ignoreGroups.includes(group))) {
      this.#probeLater(this.#probeAt - began);
      return undefined;
    }
    const [job] = await boss.fetch<T>(queue, { batchSize: 1, ignoreGroups });
    const now = performance.now();
    if (ignoreGroups.length > 0 && !job) {
      this.#foundNothingBeside = ignoreGroups;
      this.#probeAt = now + PROBE_DUTY_CYCLE * (now - began);
    }
    return job;
  }

  #probeLater(ms: number): void {
    this.#probe ??= setTimeout(() => {
      this.#probe = undefined;
      this.wake();
    }, ms);
  }

  #begin(job: Job<T>): void {
    const group = toGroup(job);
    this.#share.begin(group);
    const over = new AbortController();
    const ended = this.#run(job, over.signal).finally(() => {
      this.#claims.delete(job.id);
      this.#share.end(group);
      this.wake();
    });
    this.#claims.set(job.id, { job, over, ended });
  }

  async #run(job: Job<T>, signal: AbortSignal): Promise<void> {
    const { boss, queue, handle, onError } = this.#deps;
    try {
      try {
        await handle(job.data, signal);
        await boss.complete(queue, [job]);
      } catch (error) {
        // Without effect where the claim has lapsed, or the job was abandoned.
        await boss.fail(queue, [job], error instanceof Error ? error : new Error(String(error)));
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  /** Keeps the claims alive, and ends what another worker has taken meanwhile. */
  async #beat(): Promise<void> {
    const claims = [...this.#claims.values()];
    if (claims.length === 0) return;
    try {
      const touched: Touched = await this.#deps.boss.touch(
        this.#deps.queue,
        claims.map(({ job }) => job),
      );
      const held = touched.settled && new Set(touched.settled);
      for (const { job, over } of claims)
        if (held && !held.has(job.id)) over.abort(new Error('the job is not this worker’s any more'));
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  async #abandon(): Promise<void> {
    const claims = [...this.#claims.values()];
    if (claims.length === 0) return;
    const why = new Error('the worker stopped');
    try {
      await this.#deps.boss.fail(
        this.#deps.queue,
        claims.map(({ job }) => job),
        why,
      );
    } catch (error) {
      this.#deps.onError(error);
    }
    for (const { over } of claims) over.abort(why);
  }
}

/** Jobs that belong to nobody share one turn. */
const toGroup = ({ groupId }: { groupId?: string | null }): string => groupId ?? '';
