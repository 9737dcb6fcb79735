import { Worker } from 'node:worker_threads';
import { DeadlineExceeded, withDeadline } from '../core/kernel/deadline.ts';

export interface ImportLimits {
  /** After which the module is named on standard error. */
  readonly nameAfterMs: number;
  /** After which the start fails. A module that keeps the event loop busy is named only: nothing can interrupt it. */
  readonly limitMs: number;
}

export const IMPORT_LIMITS: ImportLimits = { nameAfterMs: 10_000, limitMs: 60_000 };

/** In a thread of its own, as the module may keep this one busy. */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  setTimeout(() => {
    const line = { level: 40, time: Date.now(), plugin: workerData.specifier, msg: 'a plugin module is still loading' };
    writeSync(2, JSON.stringify(line) + '\\n');
  }, workerData.nameAfterMs);
`;

/** Imports a module. One that takes long is named; rejects when it does not finish. */
export async function watchedImport<T>(specifier: string, load: () => Promise<T>, limits = IMPORT_LIMITS): Promise<T> {
  const { nameAfterMs, limitMs } = limits;
  const watch = new Worker(WATCH, { eval: true, execArgv: [], workerData: { specifier, nameAfterMs } });
  watch.unref();
  try {
    return (await withDeadline({ ms: limitMs }, load)) as T;
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    throw new Error(`it did not finish loading within ${limitMs / 1_000} seconds`, { cause: error });
  } finally {
    await watch.terminate();
  }
}
