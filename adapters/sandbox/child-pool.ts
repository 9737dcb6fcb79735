import type { Log } from '../../core/kernel/ports.ts';
import { type ProcessWall, probeProcessWall } from './process-wall.ts';
import { SandboxChild } from './sandbox-child.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

interface Waiter {
  resolve(child: SandboxChild): void;
  reject(error: Error): void;
}

/** Child processes: at most so many at work, first come first served, and one more warm and waiting. */
export class ChildPool {
  readonly #settings: SandboxSettings;
  readonly #log: Log;
  readonly #all = new Set<SandboxChild>();
  readonly #waiters: Waiter[] = [];
  #idle: SandboxChild[] = [];
  #busy = 0;
  #starting = new Set<Promise<void>>();
  #wall: Promise<ProcessWall> | undefined;
  #toldUser = false;
  #closed = false;

  constructor(settings: SandboxSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Give it back with `release`. Rejects when no process can be started, and after `close`. */
  acquire(): Promise<SandboxChild> {
    if (this.#closed) return Promise.reject(new Error('the sandbox is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<SandboxChild>();
    this.#waiters.push({ resolve, reject });
    this.#serve();
    return promise;
  }

  release(child: SandboxChild): void {
    this.#busy -= 1;
    if (this.#closed || !child.usable) void this.#discard(child);
    else this.#idle.push(child);
    this.#serve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(new Error('the sandbox is closed'));
    await Promise.all([...this.#all].map((child) => child.kill()));
    await Promise.all(this.#starting);
  }

  #serve(): void {
    if (this.#closed) return;
    for (const worn of this.#idle.filter((child) => !child.usable)) void this.#discard(worn);
    this.#idle = this.#idle.filter((child) => child.usable);
    while (this.#waiters.length > 0 && this.#idle.length > 0 && this.#busy < this.#settings.children) {
      this.#busy += 1;
      this.#waiters.shift()!.resolve(this.#idle.shift()!);
    }
    const soon = Math.min(this.#waiters.length, this.#settings.children - this.#busy);
    while (this.#idle.length + this.#starting.size < soon + 1) this.#begin();
  }

  #begin(): void {
    const starting = this.#start().finally(() => this.#starting.delete(starting));
    this.#starting.add(starting);
  }

  async #start(): Promise<void> {
    try {
      this.#wall ??= this.#probe();
      const { child, user } = await SandboxChild.start(await this.#wall, this.#settings);
      this.#all.add(child);
      if (this.#closed) return await this.#discard(child);
      if (user === 0) this.#warnOfRoot();
      this.#idle.push(child);
      queueMicrotask(() => this.#serve());
    } catch (error) {
      this.#log.error('sandbox process did not start', { error: String(error) });
      // Those who wait learn it; a spare that fails hurts nobody, and the next caller tries again.
      for (const waiter of this.#waiters.splice(0))
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
