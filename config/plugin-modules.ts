import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { malformed } from '../core/kernel/plugin-shape.ts';
import type { ModelProviderPlugin, ScorerKindPlugin } from '../core/plugin-sdk/index.ts';
import { IMPORT_LIMITS, type ImportLimits, watchedImport } from './import-watch.ts';

export type Plugin = ModelProviderPlugin | ScorerKindPlugin;

const SDK_NAME = 'touchstone/plugin-sdk';
const SDK_URL = new URL('../core/plugin-sdk/index.ts', import.meta.url).href;
const ENTRIES = ['index.js', 'index.mjs', 'index.ts'];

let isLent = false;

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
  lendSdk();
  try {
    return Object(await watchedImport(specifier, () => import(toAddress(specifier)), limits));
  } catch (cause) {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
    throw new Error(`plugin module "${specifier}" cannot be loaded: ${why}`, { cause });
  }
}

/** The file URL of a module. Throws when there is none. */
export function locate(specifier: string): string {
  lendSdk();
  return import.meta.resolve(toAddress(specifier));
}

/** What `import` takes: paths are seen from the folder the process was started in. */
function toAddress(specifier: string): string {
  if (!/^(\.{1,2}(\/|$)|\/|file:)/.test(specifier)) return specifier;
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(specifier);
  const isFile = (entry: string) => statSync(join(path, entry), { throwIfNoEntry: false })?.isFile();
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return pathToFileURL(isFolder ? join(path, ENTRIES.find(isFile) ?? 'index.js') : path).href;
}

/**
 * Modules from anywhere import the SDK by its name and get the one the service runs on: a second copy would have a PluginError
 * of its own, which the service would not know.
 */
function lendSdk(): void {
  if (isLent) return;
  isLent = true;
  const started = pathToFileURL(join(process.cwd(), '/')).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === SDK_NAME) return next(SDK_URL, context);
      if (context.parentURL !== import.meta.url || specifier.startsWith('file:')) return next(specifier, context);
      try {
        return next(specifier, { ...context, parentURL: started });
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

function isPlugin(value: unknown): value is Plugin {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return kind === 'model_provider' || kind === 'scorer_kind';
}
