import type { AuditEvent } from '../access/audit/audit.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import { type CollaboratorRole, type ObjectAction, permissionsFor } from '../access/role.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Explain } from '../kernel/explain.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { Id } from '../kernel/text.ts';
import { tolerant } from '../kernel/tolerant.ts';
import type { ModelProviderPlugin } from '../plugin-sdk/index.ts';
import {
  type Integration,
  type IntegrationSettings,
  type IntegrationStatus,
  type IntegrationUpdate,
  integrationNotFound,
  type StoredIntegration,
} from './integration.ts';
import { addressesIn, sealSettings } from './integration-settings.ts';
import type { IntegrationChanges, IntegrationStore } from './integration-store.ts';
import type { Outbound } from './outbound.ts';
import { asPluginError, wordsFor } from './provider-failure.ts';
import type { SecretBox } from './secret-box.ts';
import type { UserIntegrations } from './user-integrations.ts';

/** Calls of a provider, as far as the status of its integration reports them. */
export interface ProviderHealth {
  /** A real, cheap call. Rejects with a PluginError when a completion would fail, too. */
  check(integration: StoredIntegration): Promise<void>;
  circuitOf(integration_id: string): NonNullable<IntegrationStatus['circuit']>;
}

export interface IntegrationDeps {
  readonly integrationStore: IntegrationStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly userIntegrations: Pick<UserIntegrations, 'usableBy'>;
  readonly modelDirectory: ProviderHealth;
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly explain: Explain;
  readonly clock: Clock;
  readonly newId: NewId;
}

type Action = ObjectAction<'integration'>;
const ACTIONS: readonly Action[] = ['update', 'delete', 'share'];

/** Accounts with model providers: each user's own, and those that others share with them. Secrets come in and are never shown. */
export class IntegrationService {
  readonly #deps: IntegrationDeps;

  constructor(deps: IntegrationDeps) {
    this.#deps = deps;
  }

  async listIntegrations(caller: Caller): Promise<Integration[]> {
    const { authorizer, integrationStore } = this.#deps;
    const visible = await authorizer.visible(caller, 'integration');
    const [found, selected] = await Promise.all([
      integrationStore.list(visible.filters),
      integrationStore.selectedBy(caller.user_id),
    ]);
    return found.map((integration) => shown(integration, visible.roleOn(integration.id), selected));
  }

  async listAvailable(): Promise<{ integrations: string[] }> {
    return { integrations: this.#deps.modelProviders.list().map(({ id }) => id) };
  }

  /**
   * Makes the caller's integration of this name, or sets the one that exists anew. `settings` are what the request sent: they
   * are checked here, so that no part of them is repeated when they are wrong.
   */
  async putIntegration(caller: Caller, plugin: ModelProviderPlugin, name: string, sent: unknown): Promise<Integration> {
    const settings = this.#parsed(plugin, sent);
    const write = async () => {
      const own = await this.#own(caller, plugin, name);
      if (own) await this.#deps.authorizer.authorize(caller, 'integration', own.id, 'update');
      else this.#deps.authorizer.authorizeInOrganization(caller, 'create_object');
      await this.#refuseAddresses(settings);
      return own ? this.#set(caller, plugin, own, settings) : this.#create(caller, plugin, name, settings);
    };
    try {
      return await write();
    } catch (error) {
      // Two at once: whoever comes second sets what the first one made.
      const isTaken = error instanceof AppError && error.kind === 'conflict';
      if (!isTaken || !(await this.#own(caller, plugin, name))) throw error;
      return write();
    }
  }

  async getIntegration(caller: Caller, name: string): Promise<IntegrationSettings> {
    const { integration } = await this.#named(caller, name, 'read');
    const { id, provider, settings } = integration;
    return { ...settings, id, name: integration.name, provider, extra: null };
  }

  async getStatus(caller: Caller, name: string): Promise<IntegrationStatus> {
    const { integration } = await this.#named(caller, name, 'read');
    if (integration.is_disabled) return { status: 'inactive', error: 'the integration is disabled' };
    const { modelDirectory } = this.#deps;
    try {
      await modelDirectory.check(integration);
      return { status: 'active', circuit: modelDirectory.circuitOf(integration.id) };
    } catch (error) {
      return { status: 'inactive', error: wordsFor(asPluginError(error)), circuit: modelDirectory.circuitOf(integration.id) };
    }
  }

  async updateIntegration(caller: Caller, id: string, { is_disabled }: IntegrationUpdate): Promise<Integration> {
    const role = await this.#deps.authorizer.authorize(caller, 'integration', id, 'update');
    if (typeof is_disabled !== 'boolean') return this.#shown(caller, await this.#found(id), role);
    const details = { is_disabled };
    const updated = await this.#change(id, { is_disabled }, () => this.#note(caller, 'update', id, details));
    return this.#shown(caller, updated, role);
  }

  /** Whoever sees an integration may choose it for themselves, in place of the one of the same provider that they chose before. */
  async selectIntegration(caller: Caller, id: string): Promise<Integration> {
    const { authorizer, integrationStore, transactions } = this.#deps;
    const role = await authorizer.authorize(caller, 'integration', id, 'read');
    authorizer.authorizeInOrganization(caller, 'select_integration');
    const integration = await this.#found(id);
    const { provider } = integration;
    await transactions.run(async () => {
      await integrationStore.select(caller.user_id, { id, provider });
      await this.#note(caller, 'select', id, { provider });
    });
    return this.#shown(caller, integration, role);
  }

  async deleteIntegration(caller: Caller, name: string): Promise<{ message: string }> {
    const { integrationStore, collaboratorStore, authorizer, transactions } = this.#deps;
    const { integration } = await this.#named(caller, name, 'delete');
    const { id, provider } = integration;
    await transactions.run(async () => {
      if (!(await integrationStore.remove(id))) throw integrationNotFound(name);
      await collaboratorStore.removeObject({ kind: 'integration', id });
      await this.#note(caller, 'delete', id, { provider, name: integration.name });
    });
    authorizer.forget();
    return { message: `integration ${integration.name} was deleted` };
  }

  /** Nothing of what was sent is repeated in an issue: a secret may stand where it does not belong. */
  #parsed(plugin: ModelProviderPlugin, sent: unknown): unknown {
    const settings = tolerant(plugin.settings);
    const parsed = settings.safeParse(sent);
    if (parsed.success) return parsed.data;
    const issues = this.#deps.explain(settings, sent, ['body']).map(({ input: _input, ...issue }): Issue => issue);
    throw new AppError('invalid', 'request_invalid', 'the request is not valid', { issues });
  }

  async #refuseAddresses(settings: unknown): Promise<void> {
    const addresses = addressesIn(settings);
    const allowed = await Promise.all(addresses.map(({ url }) => this.#deps.outbound.allows(url)));
    const issues = addresses
      .filter((_, index) => !allowed[index])
      .map(({ path }): Issue => ({ loc: ['body', ...path], msg: 'is not a URL that may be called', type: 'url_refused' }));
    if (issues.length > 0) throw new AppError('invalid', 'url_refused', 'a URL may not be called', { issues });
  }

  async #own({ user_id }: Caller, { id: provider }: ModelProviderPlugin, name: string): Promise<StoredIntegration | undefined> {
    const own = await this.#deps.integrationStore.findByName(user_id, name);
    if (own && own.provider !== provider)
      throw new AppError('conflict', 'integration_exists', `an integration of ${own.provider} is named "${name}"`);
    return own;
  }

  async #create(caller: Caller, plugin: ModelProviderPlugin, name: string, settings: unknown): Promise<Integration> {
    const { integrationStore, collaboratorStore, secretBox, transactions, newId } = this.#deps;
    const { user_id } = caller;
    const id = newId();
    const now = this.#now();
    const facts = { id, name, provider: plugin.id, is_disabled: false, created_by: user_id, created_at: now, updated_at: now };
    const integration = { ...facts, ...sealSettings(secretBox, plugin.settings, id, settings) };
    await transactions.run(async () => {
      await integrationStore.insert(integration);
      const owner = { id: newId(), user_id, role: 'owner', created_at: now } as const;
      await collaboratorStore.putUsers({ kind: 'integration', id }, [owner]);
      await this.#note(caller, 'put', id, { provider: plugin.id, name, is_new: true });
    });
    return shown(integration, 'owner', new Set());
  }

  async #set(caller: Caller, plugin: ModelProviderPlugin, own: StoredIntegration, settings: unknown): Promise<Integration> {
    const { id, name } = own;
    const changes = sealSettings(this.#deps.secretBox, plugin.settings, id, settings);
    const details = { provider: plugin.id, name, is_new: false };
    const updated = await this.#change(id, changes, () => this.#note(caller, 'put', id, details));
    return this.#shown(caller, updated, await this.#deps.authorizer.authorize(caller, 'integration', id, 'read'));
  }

  async #change(
    id: string,
    changes: Omit<IntegrationChanges, 'updated_at'>,
    note: () => Promise<void>,
  ): Promise<StoredIntegration> {
    return this.#deps.transactions.run(async () => {
      const updated = await this.#deps.integrationStore.update(id, { ...changes, updated_at: this.#now() });
      if (!updated) throw integrationNotFound(id);
      await note();
      return updated;
    });
  }

  /** By its id, or by a name: one's own first, then what is shared. */
  async #named(
    caller: Caller,
    name: string,
    action: Action | 'read',
  ): Promise<{ integration: StoredIntegration; role: CollaboratorRole }> {
    const { authorizer, userIntegrations } = this.#deps;
    const id = Id.safeParse(name).data;
    if (id !== undefined) {
      const role = await authorizer.authorize(caller, 'integration', id, action);
      return { integration: await this.#found(id), role };
    }
    const named = (await userIntegrations.usableBy(caller.user_id)).filter((one) => one.name === name);
    const integration = named.find(({ created_by }) => created_by === caller.user_id) ?? named[0];
    if (!integration) throw integrationNotFound(name);
    return { integration, role: await authorizer.authorize(caller, 'integration', integration.id, action) };
  }

  async #found(id: string): Promise<StoredIntegration> {
    const integration = await this.#deps.integrationStore.find(id);
    if (!integration) throw integrationNotFound(id);
    return integration;
  }

  async #shown({ user_id }: Caller, integration: StoredIntegration, role: CollaboratorRole): Promise<Integration> {
    return shown(integration, role, await this.#deps.integrationStore.selectedBy(user_id));
  }

  #note(caller: Caller, verb: string, id: string, details: AuditEvent['details']): Promise<void> {
    const event = { action: `integration.${verb}`, object_kind: 'integration', object_id: id, details };
    return this.#deps.auditTrail.note(caller, event);
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

function shown(integration: StoredIntegration, role: CollaboratorRole, selected: ReadonlySet<string>): Integration {
  const { id, name, provider, created_at, updated_at, created_by, is_disabled } = integration;
  const permissions = permissionsFor('integration', role, ACTIONS);
  const facts = { id, name, provider, created_at, updated_at, created_by, permissions };
  return { ...facts, is_selected: selected.has(id), is_disabled };
}
