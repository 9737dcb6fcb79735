import { guardedHost } from '../integrations/guarded-host.ts';
import type { StoredIntegration } from '../integrations/integration.ts';
import { settingsWith } from '../integrations/integration-settings.ts';
import { type Guard, pluginFailure } from '../integrations/plugin-guard.ts';
import { RecentValues } from '../integrations/recent-values.ts';
import type { Secret, SecretBox } from '../integrations/secret-box.ts';
import { redacted, secretWords } from '../integrations/secret-words.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import { type ModelProvider, type ModelProviderPlugin, PluginError, type PluginHost } from '../plugin-sdk/index.ts';
import { guarded } from './guarded-provider.ts';

export interface ProviderOpenerDeps {
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
  readonly pluginHost: PluginHost;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
}

interface Opened {
  readonly provider: ModelProvider;
  readonly words: readonly string[];
}

/** Makes providers of integrations. What a plugin throws, returns and logs passes a guard that knows the integration's secrets. */
export class ProviderOpener {
  readonly #deps: ProviderOpenerDeps;
  readonly #opened: RecentValues<Opened>;

  constructor(deps: ProviderOpenerDeps) {
    this.#deps = deps;
    this.#opened = new RecentValues(deps.clock);
  }

  /** Throws a PluginError when the provider is not installed, cannot be made, or its settings have changed so that these do not fit. */
  open(integration: StoredIntegration): ModelProvider {
    return this.#opened.of(integration, () => this.#make(integration)).provider;
  }

  /** Without the secrets of all integrations that were opened of late: for failures of which nobody knows whose they are. */
  redacted(text: string): string {
    return redacted(
      text,
      this.#opened.values().flatMap(({ words }) => words),
    );
  }

  #make(integration: StoredIntegration): Opened {
    const { modelProviders, log } = this.#deps;
    const { id, provider } = integration;
    const plugin = modelProviders.find(provider);
    if (!plugin) throw new PluginError('unsupported', `no plugin for provider "${provider}" is installed`);
    const secrets = this.#getSecrets(integration);
    const words = secretWords(secrets.map(({ text }) => JSON.parse(text)));
    const guard: Guard = { log, facts: { integration_id: id, provider }, redact: (text) => redacted(text, words) };
    try {
      const parsed = plugin.settings.safeParse(settingsWith(integration.settings, secrets));
      if (!parsed.success) throw new PluginError('unsupported', 'the settings do not fit the provider any more');
      return { provider: guarded(plugin.create(guardedHost(this.#deps.pluginHost, guard.redact), parsed.data), guard), words };
    } catch (error) {
      throw pluginFailure(error, guard);
    }
  }

  #getSecrets({ id, secrets }: StoredIntegration): Secret[] {
    try {
      return this.#deps.secretBox.open(id, secrets);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error('secrets of an integration do not open', { integration_id: id, error: why });
      throw new PluginError('unavailable', 'the secrets of the integration cannot be read');
    }
  }
}
