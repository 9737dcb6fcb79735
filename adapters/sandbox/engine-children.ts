import { RoundRobin } from '../../core/kernel/fairness/round-robin.ts';
import type { SandboxChild } from './sandbox-child.ts';
import { rssLimit, type SandboxEngine, type SandboxSettings } from './sandbox-settings.ts';

/** The processes of one engine that are free or on their way, and who waits for one. */
export class EngineChildren<Waiter> {
  readonly engine: SandboxEngine;
  readonly rssMb: number;
  readonly waiters = new RoundRobin<Waiter>();
  readonly starting = new Set<Promise<void>>();
  #idle: SandboxChild[] = [];

  constructor(engine: SandboxEngine, settings: SandboxSettings) {
    this.engine = engine;
    this.rssMb = rssLimit(engine, settings);
  }

  get idle(): number {
    return this.#idle.length;
  }

  give(child: SandboxChild): void {
    this.#idle.push(child);
  }

  take(): SandboxChild | undefined {
    return this.#idle.shift();
  }

  /** Takes out what is not to be used any more. */
  takeWorn(): SandboxChild[] {
    const worn = this.#idle.filter(({ usable }) => !usable);
    this.#idle = this.#idle.filter(({ usable }) => usable);
    return worn;
  }

  /** Of one more process, and those on their way, whether anybody has a use for it; `spare` are kept ready beyond that. */
  isShort(free: number, spare: number): boolean {
    return this.#idle.length + this.starting.size < Math.min(this.waiters.size, free) + spare;
  }
}
