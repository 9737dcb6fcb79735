import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { API_KEY_PREFIX } from './access-service.ts';
import type { AccessStore } from './access-store.ts';
import { type ApiKeyView, type CreatedApiKey, type NewApiKey, toApiKeyView } from './api-key.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Authorizer } from './authorizer.ts';
import type { Caller } from './caller.ts';
import type { Secrets } from './login/identity.ts';
import type { RecentPrincipals } from './login/recent-principals.ts';
import type { ApiKey } from './users/user.ts';
import { userNotFound, whyNotOnUser } from './users/user-rules.ts';

export interface ApiKeyDeps {
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
  readonly secrets: Secrets;
  readonly recentPrincipals: RecentPrincipals;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** API keys of users. A key that is limited itself neither makes, shows nor deletes any. */
export class ApiKeyService {
  readonly #deps: ApiKeyDeps;

  constructor(deps: ApiKeyDeps) {
    this.#deps = deps;
  }

  /** The reply holds the key; it is stored as a digest only and cannot be shown again. */
  async createApiKey(caller: Caller, input: NewApiKey): Promise<CreatedApiKey> {
    const { accessStore, auditTrail, authorizer, secrets, transactions } = this.#deps;
    const now = this.#deps.clock();
    refusePast(input.expires_at, now);
    refuseLimitedPurpose(input);
    authorizer.authorizeInOrganization(caller, 'manage_own_api_keys');
    if (input.purpose) authorizer.authorizeInOrganization(caller, 'provision');
    if (input.project_id) await authorizer.authorize(caller, 'project', input.project_id, 'read');
    const api_key = secrets.mint(API_KEY_PREFIX);
    const key = this.#getKey(caller.user_id, input, api_key, now.toISOString());
    const { description, project_id, max_role, purpose, expires_at } = key;
    const details = { description, project_id, max_role, purpose, expires_at };
    await transactions.run(async () => {
      await accessStore.insertApiKey(key);
      await auditTrail.note(caller, { action: 'api_key.create', object_kind: 'api_key', object_id: key.id, details });
    });
    return { ...toApiKeyView(key), api_key };
  }

  async listApiKeys(caller: Caller, user_id: string, wanted: PageRequest): Promise<PageFields & { api_keys: ApiKeyView[] }> {
    const { accessStore, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'manage_own_api_keys');
    const user = await accessStore.findUser(user_id);
    if (!user) throw userNotFound(user_id);
    const refusal = whyNotOnUser(caller, user, 'read_api_keys');
    if (refusal !== null) throw new AppError('forbidden', 'role_too_low', refusal);
    const { items, page } = toPage(await accessStore.listApiKeys(user_id, sliceFor(wanted)), wanted);
    return { ...page, api_keys: items.map(toApiKeyView) };
  }

  /** Works from the next request on. The keys of others do not exist for anyone but administrators. */
  async deleteApiKey(caller: Caller, id: string): Promise<{ message: string }> {
    const { accessStore, auditTrail, authorizer, recentPrincipals, transactions } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'manage_own_api_keys');
    await transactions.run(async () => {
      const key = await accessStore.findApiKey(id);
      const isVisible = key !== undefined && (key.user_id === caller.user_id || caller.role === 'admin');
      if (!isVisible || !(await accessStore.removeApiKey(id)))
        throw new AppError('not_found', 'api_key_not_found', `API key ${id} does not exist`);
      const details = { user_id: key.user_id, description: key.description };
      await auditTrail.note(caller, { action: 'api_key.delete', object_kind: 'api_key', object_id: id, details });
    });
    recentPrincipals.forget();
    return { message: `API key ${id} was deleted` };
  }

  #getKey(
    user_id: string,
    { description, expires_at, project_id, max_role, purpose }: NewApiKey,
    api_key: string,
    created_at: string,
  ): ApiKey {
    return {
      id: this.#deps.newId(),
      user_id,
      key_hash: this.#deps.secrets.digest(api_key),
      description,
      truncated: api_key.slice(-4),
      project_id: project_id ?? null,
      max_role: max_role ?? null,
      purpose: purpose ?? null,
      expires_at: expires_at ?? null,
      last_used_at: null,
      created_at,
    };
  }
}

/** Users and groups are the organisation's: a key that keeps them is not made for one project, nor does a role on objects say anything of it. */
function refuseLimitedPurpose({ purpose, project_id, max_role }: NewApiKey): void {
  const name = project_id ? 'project_id' : 'max_role';
  if (!purpose || !(project_id || max_role)) return;
  const issues = [{ loc: ['body', name], msg: 'does not go with a purpose', type: 'purpose_limited' }];
  throw new AppError('invalid', 'purpose_limited', `a key made for ${purpose} has no ${name}`, { issues });
}

function refusePast(expires_at: string | null | undefined, now: Date): void {
  if (!expires_at || Date.parse(expires_at) > now.getTime()) return;
  const issues = [{ loc: ['body', 'expires_at'], msg: 'is not in the future', type: 'expiry_past', input: expires_at }];
  throw new AppError('invalid', 'expiry_past', 'the key would have expired already', { issues });
}
