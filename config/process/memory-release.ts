import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BackgroundWork } from './background-loop.ts';

/** Engine that the process runs on, as far as it is asked here. */
export interface Engine {
  /** Part of the time since the last question in which the process was at work, from 0 to 1. */
  utilization(): number;
  /** Bytes that the heap takes from the system. */
  heapBytes(): number;
  /** Collects all garbage, and gives back what is free then. */
  collect(): void;
}

const LOOK_MS = 60_000;
/** Background work of a service that nobody asks takes a few hundredths. */
const MAX_UTILIZATION = 0.1;
const MIN_GROWTH_BYTES = 64 * 1024 * 1024;

/**
 * Gives memory back to the system when the service has rested for a minute. Starting, and each time of much work, leaves garbage and free
 * pages behind that V8 would keep until it has to allocate more. It takes a quarter of a second, and compiled code goes with it, which has to
 * be made anew: not done in short pauses, nor again before the heap has grown.
 */
export class MemoryRelease implements BackgroundWork {
  readonly name = 'memory release';
  readonly idleDelayMs = LOOK_MS;
  readonly everywhere = true;
  readonly #engine: Engine;
  #heapBytes = 0;

  constructor(engine: Engine = new V8Engine()) {
    this.#engine = engine;
  }

  async work(): Promise<boolean> {
    const isAtRest = this.#engine.utilization() < MAX_UTILIZATION;
    if (isAtRest && this.#engine.heapBytes() - this.#heapBytes >= MIN_GROWTH_BYTES) {
      this.#engine.collect();
      this.#heapBytes = this.#engine.heapBytes();
    }
    return false;
  }
}

export class V8Engine implements Engine {
  #last: EventLoopUtilization = performance.eventLoopUtilization();

  utilization(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    return utilization;
  }

  heapBytes(): number {
    return getHeapStatistics().total_heap_size;
  }

  collect(): void {
    // Contexts that are made from now on have the function; only this kind of collection shrinks the young generation.
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as (options: object) => void;
    setFlagsFromString('--no-expose-gc');
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }
}
