import type { StoredIntegration } from '../integrations/integration.ts';
import { asPluginError, CircuitOpenError } from '../integrations/provider-failure.ts';
import { RecentValues } from '../integrations/recent-values.ts';
import type { UserIntegrations } from '../integrations/user-integrations.ts';
import type { Clock } from '../kernel/ports.ts';
import { type ModelProvider, type OfferedModel, PluginError, type ReadableFiles } from '../plugin-sdk/index.ts';
import type { CircuitState } from './circuit-breaker.ts';
import { findModel } from './find-model.ts';
import type { ProviderCalls } from './provider-calls.ts';
import type { ProviderOpener } from './provider-opener.ts';

export interface ModelDirectoryDeps {
  readonly userIntegrations: Pick<UserIntegrations, 'inForce'>;
  readonly providerOpener: Pick<ProviderOpener, 'open'>;
  readonly providerCalls: ProviderCalls;
  readonly clock: Clock;
}

/** A model that an integration of a user offers. */
export interface ModelOffer {
  readonly integration: { readonly id: string; readonly provider: string; readonly updated_at: string };
  readonly provider: ModelProvider;
  /** Its name at the provider. */
  readonly model: string;
  /** Files that it reads; none where absent. */
  readonly files?: ReadableFiles | undefined;
}

/** How long a provider may take for a call that is not a completion. */
const DEADLINE_MS = 10_000;
/** How long such a call may wait for a slot: somebody may be waiting for it. */
const MAX_WAIT_MS = 10_000;
/** All of them have their turn as one owner beside the projects. */
const OWNER = 'directory';

/** Which models a user has, by which integration. Providers are asked by the same limits as for completions. */
export class ModelDirectory {
  readonly #deps: ModelDirectoryDeps;
  readonly #models: RecentValues<Promise<readonly OfferedModel[]>>;

  constructor(deps: ModelDirectoryDeps) {
    this.#deps = deps;
    this.#models = new RecentValues(deps.clock);
  }

  /** A real, cheap call. Rejects with a PluginError when a completion would fail, too. */
  async check(integration: StoredIntegration): Promise<void> {
    await this.#calling(integration, (provider, signal) => provider.check(signal));
  }

  /** As this process sees it. */
  circuitOf(integration_id: string): CircuitState {
    return this.#deps.providerCalls.circuitOf(integration_id);
  }

  /** Lists the models that the integration offers, some minutes old at most. Rejects with a PluginError when the provider does. */
  async getModels(integration: StoredIntegration): Promise<readonly OfferedModel[]> {
    const models = this.#models.of(integration, () => this.#calling(integration, (provider, signal) => provider.models(signal)));
    return models.catch((error: unknown) => {
      this.#models.forget(integration.id);
      throw error;
    });
  }

  /**
   * The model that this name or alias means (see `findModel`) among those that the user's integrations, or the one of the named
   * provider, offer to scorers.
   * Rejects with a PluginError: `unavailable` when a provider that might have it does not respond, `unsupported` when none has it.
   */
  async offer(user_id: string, alias: string, provider?: string): Promise<ModelOffer> {
    const all = await this.#deps.userIntegrations.inForce(user_id);
    const integrations = provider === undefined ? all : all.filter((one) => one.provider === provider);
    const listed = await Promise.allSettled(integrations.map((integration) => this.getModels(integration)));
    const offered = listed.map((result) => (result.status === 'fulfilled' ? result.value.filter(isForScorers) : []));
    const found = findModel(offered, alias);
    if (found) return this.#offerOf(integrations[found.at]!, found.model);
    const failures = listed.flatMap((result) => (result.status === 'rejected' ? [asPluginError(result.reason)] : []));
    const passing = failures.filter(({ retryable }) => retryable);
    const open = passing.find((failure) => failure instanceof CircuitOpenError);
    if (open) throw open;
    if (passing.length > 0)
      throw new PluginError('unavailable', `a provider that may offer the model "${alias}" does not answer`);
    throw new PluginError(
      'unsupported',
      `no integration${provider === undefined ? '' : ` of ${provider}`} offers the model "${alias}"`,
    );
  }

  /**
   * The first model that writes text, in the order of providers; undefined when there is none. One provider that fails does not
   * keep the others from it; rejects with its PluginError when none of them has one.
   */
  async anyModel(user_id: string): Promise<string | undefined> {
    const failures: unknown[] = [];
    for (const integration of await this.#deps.userIntegrations.inForce(user_id)) {
      const offered = await this.getModels(integration).catch((error: unknown) => {
        failures.push(error);
        return [];
      });
      const model = offered.find(isForScorers);
      if (model) return model.name;
    }
    if (failures.length > 0) throw failures[0];
    return undefined;
  }

  #offerOf(integration: StoredIntegration, { name, files }: OfferedModel): ModelOffer {
    return { integration, provider: this.#deps.providerOpener.open(integration), model: name, files };
  }

  async #calling<T>(
    integration: StoredIntegration,
    call: (provider: ModelProvider, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const provider = this.#deps.providerOpener.open(integration);
    return this.#deps.providerCalls.attempt(integration, {
      owner: OWNER,
      deadlineMs: DEADLINE_MS,
      maxWaitMs: MAX_WAIT_MS,
      call: (signal) => call(provider, signal),
    });
  }
}

const isForScorers = ({ for_scorers }: OfferedModel): boolean => for_scorers;
