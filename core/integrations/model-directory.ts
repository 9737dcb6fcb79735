import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import type { GroupStore } from '../access/groups/group-store.ts';
import { withDeadline } from '../kernel/deadline.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import type { IdFilter } from '../kernel/query/filter.ts';
import { type ModelProvider, type ModelProviderPlugin, type OfferedModel, PluginError } from '../plugin-sdk/index.ts';
import { findModel } from './find-model.ts';
import type { StoredIntegration } from './integration.ts';
import type { IntegrationStore } from './integration-store.ts';
import { asPluginError } from './provider-failure.ts';
import type { ProviderOpener } from './provider-opener.ts';
import { RecentValues } from './recent-values.ts';

export interface ModelDirectoryDeps {
  readonly integrationStore: IntegrationStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly groupStore: GroupStore;
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
  readonly providerOpener: ProviderOpener;
  readonly clock: Clock;
  readonly log: Log;
}

/** A model, and the integration that has it. */
export interface Offer {
  readonly integration: StoredIntegration;
  readonly provider: ModelProvider;
  /** Its name at the provider. */
  readonly model: string;
}

/** How long a provider may take for a call that is not a completion. */
const CALL_MS = 10_000;

/**
 * Which models a user has, by which integration. A user has what they made and what is shared with them, by any role:
 * sharing an integration lends it. Being an administrator lends nothing.
 */
export class ModelDirectory {
  readonly #deps: ModelDirectoryDeps;
  readonly #models: RecentValues<Promise<readonly OfferedModel[]>>;

  constructor(deps: ModelDirectoryDeps) {
    this.#deps = deps;
    this.#models = new RecentValues(deps.clock);
  }

  /** All that the user has, disabled ones too: first what they selected, then what they made, then the oldest. */
  async usableBy(user_id: string): Promise<StoredIntegration[]> {
    const { collaboratorStore, groupStore, integrationStore } = this.#deps;
    const group_ids = await groupStore.toGroups(user_id);
    const roles = await collaboratorStore.rolesByObject('integration', { user_id, group_ids });
    if (roles.size === 0) return [];
    const filter: IdFilter<'id'> = { family: 'id', name: 'id', operator: 'one_of', values: [...roles.keys()] };
    const [found, selected] = await Promise.all([integrationStore.list([filter]), integrationStore.selectedBy(user_id)]);
    const rank = ({ id, created_by }: StoredIntegration) => (selected.has(id) ? 0 : created_by === user_id ? 1 : 2);
    return found.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The one of each provider that serves the user: none that is disabled, nor of a provider that is not installed. By provider. */
  async inForce(user_id: string): Promise<StoredIntegration[]> {
    const enabled = (await this.usableBy(user_id)).filter(
      ({ is_disabled, provider }) => !is_disabled && this.#deps.modelProviders.find(provider) !== undefined,
    );
    const byProvider = new Map(enabled.toReversed().map((integration) => [integration.provider, integration]));
    return [...byProvider.values()].toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
  }

  /** A real, cheap call. Rejects with a PluginError when a completion would fail, too. */
  async check(integration: StoredIntegration): Promise<void> {
    await this.#calling(integration, (provider, signal) => provider.check(signal));
  }

  /** What the integration offers, some minutes old at most. Rejects with a PluginError when the provider does. */
  async getModels(integration: StoredIntegration): Promise<readonly OfferedModel[]> {
    const models = this.#models.of(integration, () => this.#calling(integration, (provider, signal) => provider.models(signal)));
    return models.catch((error: unknown) => {
      this.#models.forget(integration.id);
      throw error;
    });
  }

  /** As `offer`, for who goes on calling the model by its alias. */
  async model(user_id: string, alias: string): Promise<ModelProvider> {
    const { provider, model } = await this.offer(user_id, alias);
    return named(provider, alias, model);
  }

  /**
   * The model that this name or alias means (see `findModel`) among those that the user's integrations offer to scorers.
   * Rejects with a PluginError:
   * `unavailable` when a provider that might have it does not answer, `unsupported` when none has it.
   */
  async offer(user_id: string, alias: string): Promise<Offer> {
    const { providerOpener } = this.#deps;
    const integrations = await this.inForce(user_id);
    const listed = await Promise.allSettled(integrations.map((integration) => this.getModels(integration)));
    const offered = listed.map((result) => (result.status === 'fulfilled' ? result.value.filter(usable) : []));
    const found = findModel(offered, alias);
    if (found) {
      const integration = integrations[found.at]!;
      return { integration, provider: providerOpener.open(integration), model: found.model.name };
    }
    const mayPass = listed.some((result) => result.status === 'rejected' && asPluginError(result.reason).retryable);
    if (mayPass) throw new PluginError('unavailable', `a provider that may offer the model "${alias}" does not answer`);
    throw new PluginError('unsupported', `no integration offers the model "${alias}"`);
  }

  /** Ends in time, whether the plugin listens to its signal or not. */
  async #calling<T>(
    integration: StoredIntegration,
    call: (provider: ModelProvider, signal: AbortSignal) => Promise<T>,
  ): Promise<Awaited<T>> {
    try {
      return await withDeadline({ ms: CALL_MS }, (signal) => call(this.#deps.providerOpener.open(integration), signal));
    } catch (error) {
      const { id, provider } = integration;
      const failed = asPluginError(error);
      const reason = error instanceof Error ? error.message : undefined;
      this.#deps.log.warn('a model provider failed', { integration_id: id, provider, failure: failed.failure, reason });
      throw failed;
    }
  }
}

const usable = ({ for_scorers }: OfferedModel): boolean => for_scorers;

/** Whoever asked by an alias goes on calling it so. */
const named = (provider: ModelProvider, alias: string, name: string): ModelProvider => ({
  complete: (request) => provider.complete(request.model === alias ? { ...request, model: name } : request),
  models: (signal) => provider.models(signal),
  check: (signal) => provider.check(signal),
});
