import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

interface Storage {
  getStore(): Context | undefined;
  run<T>(context: Context, work: () => T): T;
}
type StorageClass = new () => Storage;

/**
 * The context outside of Node. Edge runtimes have AsyncLocalStorage, as a global or as a module of Node that they bring; spans nest through promises there. In browsers the context
 * holds until the first `await`: what is made after it names its parent by `parent`.
 */
export function openContextManager(): ContextManager {
  const AsyncLocalStorage = findAsyncLocalStorage();
  return new WebContextManager(AsyncLocalStorage ? new AsyncLocalStorage() : new SynchronousStorage());
}

function findAsyncLocalStorage(): StorageClass | undefined {
  const { AsyncLocalStorage, process } = globalThis as unknown as {
    AsyncLocalStorage?: StorageClass;
    process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: StorageClass } | undefined };
  };
  return AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
}

/** The context of the call that is running, and of nothing later. */
class SynchronousStorage implements Storage {
  #current: Context | undefined;

  getStore(): Context | undefined {
    return this.#current;
  }

  run<T>(context: Context, work: () => T): T {
    const before = this.#current;
    this.#current = context;
    try {
      return work();
    } finally {
      this.#current = before;
    }
  }
}

class WebContextManager implements ContextManager {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    work: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => work.call(self as ThisParameterType<F>, ...args));
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const run = (...args: unknown[]) => this.#storage.run(context, () => target(...args));
    return run as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}
