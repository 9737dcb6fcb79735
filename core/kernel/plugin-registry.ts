import { type PluginHead, SDK_VERSION } from '../plugin-sdk/plugin.ts';

const ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** The installed plugins of one kind. Refuses to be built from a list that holds a broken one. */
export class PluginRegistry<P extends PluginHead> {
  readonly #plugins: ReadonlyMap<string, P>;

  /** Throws an Error that names the plugin when an id is malformed or taken, or the SDK version is not ours. */
  constructor(plugins: readonly P[]) {
    const byId = new Map<string, P>();
    for (const plugin of plugins) {
      const name = String(plugin.id);
      if (!ID.test(name)) throw new Error(`plugin "${name}": id is not lower_snake_case`);
      if (byId.has(name)) throw new Error(`plugin "${name}": id is taken by another plugin`);
      if (plugin.sdk !== SDK_VERSION)
        throw new Error(`plugin "${name}": written for SDK ${plugin.sdk}, this is SDK ${SDK_VERSION}`);
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
