import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import type { GroupStore } from '../access/groups/group-store.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { IdFilter } from '../kernel/query/filter.ts';
import type { ModelProviderPlugin } from '../plugin-sdk/index.ts';
import type { StoredIntegration } from './integration.ts';
import type { IntegrationStore } from './integration-store.ts';

export interface UserIntegrationsDeps {
  readonly integrationStore: IntegrationStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly groupStore: GroupStore;
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
}

/**
 * Which integrations a user has: what they made and what is shared with them, by any role. Sharing an integration lets others use it;
 * being an administrator gives the use of none.
 */
export class UserIntegrations {
  readonly #deps: UserIntegrationsDeps;

  constructor(deps: UserIntegrationsDeps) {
    this.#deps = deps;
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
}
