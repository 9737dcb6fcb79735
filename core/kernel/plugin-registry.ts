import type { PluginHead } from '../plugin-sdk/plugin.ts';
import { malformedHead } from './plugin-shape.ts';

/** The installed plugins of one kind. Refuses to be built from a list that holds a broken one. */
export class PluginRegistry<P extends PluginHead> {
  readonly #plugins: ReadonlyMap<string, P>;

  /** Throws an Error that names the plugin when an id is malformed or taken, or the SDK version is not ours. */
  constructor(plugins: readonly P[]) {
    const byId = new Map<string, P>();
    for (const plugin of plugins) {
      const name = String(plugin.id);
      const flaw = malformedHead(plugin) ?? (byId.has(name) ? 'id is taken by another plugin' : undefined);
      if (flaw !== undefined) throw new Error(`plugin "${name}": ${flaw}`);
      byId.set(name, plugin);
    }
    this.#plugins = byId;
  }

  find(id: string): P | undefined {
    return this.#plugins.get(id);
  }

  /** Sorted by id. */
  list(): P[] {
    return [...this.#plugins.values()].sort((a, b) => a.id.localeCompare(b.id));
  }
}
