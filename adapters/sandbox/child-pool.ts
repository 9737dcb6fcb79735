import { RoundRobin } from '../../core/kernel/fairness/round-robin.ts';
import { SpentTime } from '../../core/kernel/fairness/spent-time.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { SandboxUse } from '../../core/scorers/scoring/code-sandbox.ts';
import { type ProcessWall, probeProcessWall } from './process-wall.ts';
import { SandboxChild } from './sandbox-child.ts';
import type { SandboxLanguage, SandboxSettings } from './sandbox-settings.ts';

interface Waiter {
  readonly use: SandboxUse;
  resolve(child: SandboxChild): void;
  reject(error: unknown): void;
}

/** How long a project counts as troublesome after one of its programs ran out of time or memory. */
const TROUBLE_MS = 60_000;
/** Half-life of a project's recorded use of the processes. */
const HALF_LIFE_MS = 10_000;

interface Holder {
  readonly project_id: string;
  readonly since: number;
}

/**
 * Child processes: at most so many at work, and one more warm and waiting. A free one goes to the project that has used
 * the least of them lately, then to its scorers in turns; projects whose programs lately ran out of time or memory leave one process to the others.
 */
export class ChildPool {
  readonly #settings: SandboxSettings;
  readonly #languages: readonly SandboxLanguage[];
  readonly #log: Log;
  readonly #all = new Set<SandboxChild>();
  readonly #waiters = new RoundRobin<Waiter>();
  readonly #holders = new Map<SandboxChild, Holder>();
  readonly #spent = new SpentTime(() => performance.now(), HALF_LIFE_MS);
  /** Until when, by project. */
  readonly #troublesome = new Map<string, number>();
  #idle: SandboxChild[] = [];
  #starting = new Set<Promise<void>>();
  #wall: Promise<ProcessWall> | undefined;
  #toldUser = false;
  #closed = false;

  constructor(settings: SandboxSettings, languages: readonly SandboxLanguage[], log: Log) {
    this.#settings = settings;
    this.#languages = languages;
    this.#log = log;
  }

  /** Give it back with `release`. Rejects when no process can be started, when the signal is aborted, and after `close`. */
  async acquire(use: SandboxUse): Promise<SandboxChild> {
    if (this.#closed) throw new Error('the sandbox is closed');
    use.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SandboxChild>();
    const waiter: Waiter = { use, resolve, reject };
    const leave = (): void => {
      if (this.#waiters.remove(toPath(use), waiter)) reject(use.signal?.reason);
    };
    this.#waiters.push(toPath(use), waiter);
    use.signal?.addEventListener('abort', leave, { once: true });
    this.#serve();
    return promise.finally(() => use.signal?.removeEventListener('abort', leave));
  }

  /** `hadTrouble`: the program ran out of time or memory. */
  release(child: SandboxChild, { project_id }: SandboxUse, hadTrouble: boolean): void {
    this.#spent.add(project_id, performance.now() - this.#holders.get(child)!.since);
    this.#holders.delete(child);
    if (hadTrouble) this.#noteTrouble(project_id);
    if (this.#closed || !child.usable) void this.#discard(child);
    else this.#idle.push(child);
    this.#serve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.drain()) waiter.reject(new Error('the sandbox is closed'));
    await Promise.all([...this.#all].map((child) => child.kill()));
    await Promise.all(this.#starting);
  }

  #serve(): void {
    if (this.#closed) return;
    for (const worn of this.#idle.filter((child) => !child.usable)) void this.#discard(worn);
    this.#idle = this.#idle.filter((child) => child.usable);
    while (this.#idle.length > 0 && this.#holders.size < this.#settings.children) {
      const waiter = this.#next();
      if (!waiter) break;
      const child = this.#idle.shift()!;
      this.#holders.set(child, { project_id: waiter.use.project_id, since: performance.now() });
      waiter.resolve(child);
    }
    const soon = Math.min(this.#waiters.size, this.#settings.children - this.#holders.size);
    while (this.#idle.length + this.#starting.size < soon + 1) this.#begin();
  }

  /**
   * Whose turn it is; none of the troublesome where these hold all that they may together, or would take the last process
   * that is ready: each of their runs costs one, and starting another one takes its time on a busy machine.
   */
  #next(): Waiter | undefined {
    const held = [...this.#holders.values()].filter(({ project_id }) => this.#isTroublesome(project_id)).length;
    const isFull = held >= Math.max(1, this.#settings.children - 1) || this.#idle.length < 2;
    const eligible = [...this.#waiters.keys()].filter((project_id) => !(isFull && this.#isTroublesome(project_id)));
    const spent = new Map(eligible.map((project_id) => [project_id, this.#spent.of(project_id)]));
    const [thriftiest] = eligible.toSorted((a, b) => spent.get(a)! - spent.get(b)!);
    return thriftiest === undefined ? undefined : this.#waiters.shift(thriftiest);
  }

  #isTroublesome(project_id: string): boolean {
    return (this.#troublesome.get(project_id) ?? 0) > performance.now();
  }

  #noteTrouble(project_id: string): void {
    const now = performance.now();
    // Kept in the order of their ends, so that those that are over are found in front.
    this.#troublesome.delete(project_id);
    for (const [id, until] of this.#troublesome) {
      if (until > now) break;
      this.#troublesome.delete(id);
    }
    this.#troublesome.set(project_id, now + TROUBLE_MS);
  }

  #begin(): void {
    const starting = this.#start().finally(() => this.#starting.delete(starting));
    this.#starting.add(starting);
  }

  async #start(): Promise<void> {
    try {
      this.#wall ??= this.#probe();
      const { child, user } = await SandboxChild.start(await this.#wall, this.#settings, this.#languages);
      this.#all.add(child);
      if (this.#closed) return await this.#discard(child);
      if (user === 0) this.#warnOfRoot();
      this.#idle.push(child);
      queueMicrotask(() => this.#serve());
    } catch (error) {
      this.#log.error('sandbox process did not start', { error: String(error) });
      // Those who wait learn it; a spare that fails hurts nobody, and the next caller tries again.
      for (const waiter of this.#waiters.drain())
        waiter.reject(new Error('the sandbox cannot start a process', { cause: error }));
    }
  }

  async #probe(): Promise<ProcessWall> {
    const wall = await probeProcessWall();
    this.#log.info('sandbox processes start behind these walls', { walls: wall.walls });
    return wall;
  }

  #warnOfRoot(): void {
    if (!this.#toldUser) this.#log.warn('sandbox processes run as root: this machine forbids changing the user');
    this.#toldUser = true;
  }

  async #discard(child: SandboxChild): Promise<void> {
    await child.kill();
    this.#all.delete(child);
  }
}

const toPath = ({ project_id, scorer_id }: SandboxUse): [string, string] => [project_id, scorer_id];
