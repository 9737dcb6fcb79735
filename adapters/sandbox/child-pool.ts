import { SpentTime } from '../../core/kernel/fairness/spent-time.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { SandboxUse } from '../../core/scorers/scoring/code-sandbox.ts';
import { EngineChildren } from './engine-children.ts';
import { type ProcessWall, probeProcessWall } from './process-wall.ts';
import { pythonImage } from './python/python-image.ts';
import { SandboxChild } from './sandbox-child.ts';
import type { SandboxEngine, SandboxLanguage, SandboxSettings } from './sandbox-settings.ts';

interface Waiter {
  readonly use: SandboxUse;
  resolve(child: SandboxChild): void;
  reject(error: unknown): void;
}

/** How long a project counts as troublesome after one of its programs ran out of time or memory. */
const TROUBLE_MS = 60_000;
/** Half-life of a project's recorded use of the processes. */
const HALF_LIFE_MS = 10_000;
/** How long a process of Python that nobody uses is kept. */
const UNUSED_MS = 600_000;

interface Holder {
  readonly project_id: string;
  readonly since: number;
}

type Children = EngineChildren<Waiter>;

/**
 * Child processes of all engines: at most so many at work, and one more for JavaScript warm and waiting; one for Python is started when
 * somebody asks for it, and kept. A free one goes to the project that has used the least of them lately, then to its scorers in turns;
 * projects whose programs lately ran out of time or memory leave one process to the others.
 */
export class ChildPool {
  readonly #settings: SandboxSettings;
  readonly #languages: readonly SandboxLanguage[];
  readonly #log: Log;
  readonly #all = new Set<SandboxChild>();
  /** Of these, the ones that are being killed. */
  readonly #ending = new Set<SandboxChild>();
  readonly #engines: Readonly<Record<SandboxEngine, Children>>;
  readonly #holders = new Map<SandboxChild, Holder>();
  readonly #spent = new SpentTime(() => performance.now(), HALF_LIFE_MS);
  /** Until when, by project. */
  readonly #troublesome = new Map<string, number>();
  #unused: NodeJS.Timeout | undefined;
  #wall: Promise<ProcessWall> | undefined;
  readonly #isUsed = new Set<SandboxEngine>();
  #toldUser = false;
  #closed = false;

  constructor(settings: SandboxSettings, languages: readonly SandboxLanguage[], log: Log) {
    this.#settings = settings;
    this.#languages = languages;
    this.#log = log;
    this.#engines = {
      javascript: new EngineChildren('javascript', settings),
      python: new EngineChildren('python', settings),
    };
  }

  get #each(): Children[] {
    return Object.values(this.#engines);
  }

  /** Give it back with `release`. Rejects when no process can be started, when the signal is aborted, and after `close`. */
  async acquire(engine: SandboxEngine, use: SandboxUse): Promise<SandboxChild> {
    if (this.#closed) throw new Error('the sandbox is closed');
    use.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SandboxChild>();
    const waiter: Waiter = { use, resolve, reject };
    const { waiters } = this.#engines[engine];
    const leave = (): void => {
      if (waiters.remove(toPath(use), waiter)) reject(use.signal?.reason);
    };
    this.#isUsed.add(engine);
    waiters.push(toPath(use), waiter);
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
    else this.#engines[child.engine].give(child);
    this.#forgetUnused();
    this.#serve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#unused);
    for (const { waiters } of this.#each) for (const waiter of waiters.drain()) waiter.reject(new Error('the sandbox is closed'));
    await Promise.all([...this.#all].map((child) => child.kill()));
    await Promise.all(this.#each.flatMap(({ starting }) => [...starting]));
  }

  #serve(): void {
    if (this.#closed) return;
    for (const children of this.#each) for (const worn of children.takeWorn()) void this.#discard(worn);
    while (this.#holders.size < this.#settings.children) {
      const next = this.#next();
      if (!next) break;
      const child = next.children.take()!;
      this.#holders.set(child, { project_id: next.waiter.use.project_id, since: performance.now() });
      next.waiter.resolve(child);
    }
    const free = this.#settings.children - this.#holders.size;
    for (const children of this.#each)
      while (children.isShort(free, this.#spare(children)) && this.#makeRoom(children)) this.#begin(children);
  }

  /** One more process of JavaScript is always ready; one of Python takes much, and is for those who may not have the only one. */
  #spare(children: Children): number {
    const { engine, waiters, idle, starting } = children;
    if (engine === 'javascript') return this.#isUsed.has(engine) ? 1 : 0;
    const isOnly = idle + starting.size + this.#heldOf(children) < 2;
    return isOnly && [...waiters.keys()].some((project_id) => this.#isTroublesome(project_id)) ? 1 : 0;
  }

  #heldOf({ engine }: Children): number {
    return [...this.#holders.keys()].filter((child) => child.engine === engine).length;
  }

  /**
   * Whose turn it is; none of the troublesome where these hold all that they may together, or would take the last process
   * that is ready while another one is to come: each of their runs costs one, and starting another one takes its time on a busy machine.
   */
  #next(): { readonly waiter: Waiter; readonly children: Children } | undefined {
    const held = [...this.#holders.values()].filter(({ project_id }) => this.#isTroublesome(project_id)).length;
    const isFull = held >= Math.max(1, this.#settings.children - 1);
    const eligible = this.#each.flatMap((children) => {
      if (children.idle === 0) return [];
      const isShut = isFull || (children.idle < 2 && this.#isAnotherToCome(children));
      const projects = [...children.waiters.keys()].filter((project_id) => !(isShut && this.#isTroublesome(project_id)));
      return projects.map((project_id) => ({ children, project_id, spent: this.#spent.of(project_id) }));
    });
    const [thriftiest] = eligible.toSorted((a, b) => a.spent - b.spent);
    if (!thriftiest) return undefined;
    const { children, project_id } = thriftiest;
    return { children, waiter: children.waiters.shift(project_id)! };
  }

  /** Where none is, nothing would ever serve those who were told to wait for it. */
  #isAnotherToCome(children: Children): boolean {
    return children.starting.size > 0 || this.#heldOf(children) > 0 || this.#fits(children);
  }

  /**
   * Whether one more process fits into the memory of all of them. Free ones of the other engine end for the first of an engine
   * alone: where both are in use they would else end each other's all the time, and starting is what takes long.
   */
  #makeRoom(wanted: Children): boolean {
    const alive = [...this.#all.difference(this.#ending)];
    const isFirst = wanted.starting.size === 0 && !alive.some(({ engine }) => engine === wanted.engine);
    const others = isFirst ? this.#each.filter((children) => children !== wanted) : [];
    for (const other of others) while (!this.#fits(wanted) && other.idle > 0) void this.#discard(other.take()!);
    return this.#fits(wanted);
  }

  #fits({ rssMb }: Children): boolean {
    const alive = [...this.#all.difference(this.#ending)].reduce((sum, { engine }) => sum + this.#engines[engine].rssMb, 0);
    const taken = this.#each.reduce((sum, { starting, rssMb: each }) => sum + starting.size * each, alive);
    return taken + rssMb <= this.#settings.total_rss_mb;
  }

  /** Memory of Python goes back to the machine where no scorer is written in it any more. */
  #forgetUnused(): void {
    clearTimeout(this.#unused);
    const { python } = this.#engines;
    this.#unused = setTimeout(() => {
      for (let child = python.take(); child; child = python.take()) void this.#discard(child);
    }, UNUSED_MS);
    this.#unused.unref();
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

  #begin(children: Children): void {
    const starting = this.#start(children).then((isThere) => {
      children.starting.delete(starting);
      if (isThere) this.#serve();
    });
    children.starting.add(starting);
  }

  /** Resolves with whether there is one more. */
  async #start(children: Children): Promise<boolean> {
    const { engine } = children;
    try {
      this.#wall ??= this.#probe();
      const wall = await this.#wall;
      const image = engine === 'python' ? await pythonImage(wall, this.#settings) : undefined;
      if (this.#closed) return false;
      const { child, user } = await SandboxChild.start({
        ...{ engine, wall, settings: this.#settings, languages: this.#languages },
        ...(image && { image }),
      });
      this.#all.add(child);
      if (this.#closed) {
        await this.#discard(child);
        return false;
      }
      if (user === 0) this.#warnOfRoot();
      children.give(child);
      return true;
    } catch (error) {
      this.#log.error('sandbox process did not start', { error: String(error) });
      // Those who wait learn it; a spare that fails hurts nobody, and the next caller tries again.
      for (const waiter of children.waiters.drain())
        waiter.reject(new Error('the sandbox cannot start a process', { cause: error }));
      return false;
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
    this.#ending.add(child);
    await child.kill();
    this.#ending.delete(child);
    this.#all.delete(child);
  }
}

const toPath = ({ project_id, scorer_id }: SandboxUse): [string, string] => [project_id, scorer_id];
