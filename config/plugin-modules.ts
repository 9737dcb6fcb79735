import type { Plugin } from '../core/kernel/plugin-kinds.ts';
import { isPlugin, malformed } from '../core/kernel/plugin-shape.ts';
import { IMPORT_LIMITS, type ImportLimits, watchedImport } from './import-watch.ts';
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
