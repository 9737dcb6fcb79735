import { Worker } from 'node:worker_threads';
import { DeadlineExceeded, withDeadline } from '../core/kernel/deadline.ts';
import type { Plugin } from '../core/kernel/plugin-kinds.ts';
import { isPlugin, malformed } from '../core/kernel/plugin-shape.ts';
import { locate } from './plugin-address.ts';

/**
 * The plugins of a module: every exported value that says of itself what kind of plugin it is. A specifier is a package, found
 * from the folder the process was started in or else from here, or a path or file URL of a module or of its folder. Rejects, naming
 * the module and the plugin, when it cannot be loaded or does not finish loading, holds none, or holds one that is malformed.
 */
export async function pluginsIn(specifier: string, limits = IMPORT_LIMITS): Promise<Plugin[]> {
  const found = Object.values(await load(specifier, limits)).filter(isPlugin);
  if (found.length === 0) throw new Error(`plugin module "${specifier}" exports no plugin`);
  for (const plugin of found) {
    const flaw = malformed(plugin);
    if (flaw !== undefined) throw new Error(`plugin module "${specifier}", plugin "${String(plugin.id)}": ${flaw}`);
  }
  return found;
}

async function load(specifier: string, limits: ImportLimits): Promise<object> {
  try {
    return Object(await watchedImport(specifier, () => import(locate(specifier)), limits));
  } catch (cause) {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
    throw new Error(`plugin module "${specifier}" cannot be loaded: ${why}`, { cause });
  }
}

interface ImportLimits {
  /** After which the module is named on standard error. */
  readonly nameAfterMs: number;
  /** After which the start fails. A module that keeps the event loop busy is named only: nothing can interrupt it. */
  readonly limitMs: number;
}

const IMPORT_LIMITS: ImportLimits = { nameAfterMs: 10_000, limitMs: 60_000 };

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
async function watchedImport<T>(specifier: string, load: () => Promise<T>, limits = IMPORT_LIMITS): Promise<T> {
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
