import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkContext, WorkFacts } from '../../core/kernel/ports.ts';

const NONE: WorkFacts = Object.freeze({});

/** Kept by Node for each chain of asynchronous calls; handlers of uncaught exceptions and rejections see it, too. */
export class AsyncWorkContext implements WorkContext {
  readonly #storage = new AsyncLocalStorage<WorkFacts>();

  run<T>(facts: WorkFacts, work: () => T): T {
    return this.#storage.run({ ...this.current(), ...facts }, work);
  }

  runWithout<T>(names: readonly string[], work: () => T): T {
    const left = Object.entries(this.current()).filter(([name]) => !names.includes(name));
    return this.#storage.run(Object.fromEntries(left), work);
  }

  current(): WorkFacts {
    return this.#storage.getStore() ?? NONE;
  }
}
