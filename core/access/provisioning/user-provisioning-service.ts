import { AppError } from '../../kernel/errors.ts';
import type { Transactions } from '../../kernel/ports.ts';
import type { Slice } from '../../kernel/query/page.ts';
import { Id } from '../../kernel/text.ts';
import type { AccessStore } from '../access-store.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import type { RecentPrincipals } from '../login/recent-principals.ts';
import { normalEmail, type User } from '../users/user.ts';
import { userNotFound } from '../users/user-rules.ts';
import type { UserService } from '../users/user-service.ts';
import type { Found, ProvisionedUser, UserCondition, UserFacts } from './provisioned.ts';
import type { ProvisionedResource, ProvisioningStore } from './provisioning-store.ts';

/** More than one is a mistake of the provider that it should get to see. */
const MAX_OF_EXTERNAL_ID = 100;

export interface UserProvisioningDeps {
  readonly userService: UserService;
  readonly accessStore: AccessStore;
  readonly provisioningStore: ProvisioningStore;
  readonly authorizer: Authorizer;
  readonly recentPrincipals: RecentPrincipals;
  readonly transactions: Transactions;
}

/** Users as an identity provider keeps them. All users are its: one that was made by hand is found by its e-mail and taken over. */
export class UserProvisioningService {
  readonly #deps: UserProvisioningDeps;

  constructor(deps: UserProvisioningDeps) {
    this.#deps = deps;
  }

  /** The provider vouches for the address. Rejects with `conflict` when user name or e-mail are taken. */
  async create(caller: Caller, facts: UserFacts): Promise<ProvisionedUser> {
    const { userService, accessStore, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    return this.#inTransaction(async () => {
      await accessStore.holdAdmins();
      await this.#refuseTaken(facts.user_name, undefined);
      const { email, first_name, last_name, role, is_active } = facts;
      const made = { email, first_name, last_name, role, email_is_verified: true, auth_method: 'custom' as const };
      const { id } = await userService.createUser(caller, made);
      if (!is_active) await userService.updateUser(caller, id, { is_disabled: true });
      await this.#put(id, facts);
      return this.#get(id);
    });
  }

  /** Rejects with `not_found` when there is no such user. */
  async get(caller: Caller, id: string): Promise<ProvisionedUser> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'provision');
    return this.#get(id);
  }

  /** Oldest first without conditions. */
  async search(caller: Caller, conditions: readonly UserCondition[], slice: Slice): Promise<Found<ProvisionedUser>> {
    const { accessStore, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    if (conditions.length === 0) {
      const [total, users] = await Promise.all([accessStore.countUsers(), accessStore.listUserPage(slice)]);
      return { total, items: await this.#shown(users) };
    }
    const candidates = await this.#shown(await this.#listCandidates(conditions));
    const found = candidates.filter((user) => conditions.every((condition) => meets(user, condition)));
    return { total: found.length, items: found.slice(slice.offset, slice.offset + slice.limit) };
  }

  /**
   * Gives the user the state that `change` makes of what is there; nobody else changes it meanwhile. Ends sessions as any change of
   * e-mail, role or state does; the keys of who is not active are refused. Rejects with `conflict` as `create` does, and with
   * `last_admin` where nobody would be left who may do everything.
   */
  async update(caller: Caller, id: string, change: (current: ProvisionedUser) => UserFacts): Promise<ProvisionedUser> {
    const { userService, accessStore, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    return this.#inTransaction(async () => {
      await accessStore.holdAdmins();
      const current = await this.#get(id);
      const facts = change(current);
      await this.#refuseTaken(facts.user_name, id);
      const { email, first_name, last_name, role, is_active } = facts;
      await userService.updateUser(caller, id, { email, first_name, last_name, role, is_disabled: !is_active });
      await this.#put(id, facts);
      return this.#get(id);
    });
  }

  /** As deleting by hand: what only the user owned passes to the caller. */
  async remove(caller: Caller, id: string): Promise<void> {
    const { userService, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    await userService.deleteUser(caller, requireId(id));
  }

  /** Principals that were remembered while the transaction was open may be older than what it has left. */
  async #inTransaction<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#deps.transactions.run(work);
    this.#deps.recentPrincipals.forget();
    return done;
  }

  /** Those that the condition which few can meet leaves. */
  async #listCandidates(conditions: readonly UserCondition[]): Promise<User[]> {
    const { accessStore, provisioningStore } = this.#deps;
    for (const { name, value } of conditions) {
      if (name === 'is_active') continue;
      if (name === 'id') return Id.safeParse(value).success ? accessStore.listUsers([value.toLowerCase()]) : [];
      if (name === 'email') return toList(await accessStore.findUserByEmail(normalEmail(value)));
      if (name === 'user_name') return toList(await this.#findByUserName(value));
      const known = await provisioningStore.listByExternalId('user', value, MAX_OF_EXTERNAL_ID);
      return accessStore.listUsers(known.map(({ id }) => id));
    }
    throw new AppError('bad_request', 'filter_too_wide', 'the filter names neither id, user name, external id nor e-mail');
  }

  /** Users that no provider has written have their e-mail for a user name. */
  async #findByUserName(user_name: string): Promise<User | undefined> {
    const { accessStore, provisioningStore } = this.#deps;
    const known = await provisioningStore.findByUserName(toKey(user_name));
    if (known) return accessStore.findUser(known.id);
    const user = await accessStore.findUserByEmail(normalEmail(user_name));
    const [own] = user ? await provisioningStore.findMany('user', [user.id]) : [];
    return own ? undefined : user;
  }

  async #refuseTaken(user_name: string, id: string | undefined): Promise<void> {
    const holder = await this.#findByUserName(user_name);
    if (holder && holder.id !== id) throw new AppError('conflict', 'user_exists', `the user name ${user_name} is taken`);
  }

  #put(id: string, { user_name, external_id, display_name }: UserFacts): Promise<void> {
    const user_name_key = toKey(user_name);
    return this.#deps.provisioningStore.put({ kind: 'user', id, external_id, user_name, user_name_key, display_name });
  }

  async #get(id: string): Promise<ProvisionedUser> {
    const user = await this.#deps.accessStore.findUser(requireId(id));
    if (!user) throw userNotFound(id);
    const [shown] = await this.#shown([user]);
    return shown!;
  }

  async #shown(users: readonly User[]): Promise<ProvisionedUser[]> {
    const ids = users.map(({ id }) => id);
    const known = new Map((await this.#deps.provisioningStore.findMany('user', ids)).map((one) => [one.id, one]));
    return users.map((user) => toProvisioned(user, known.get(user.id)));
  }
}

const toKey = (user_name: string): string => user_name.toLowerCase();

const toList = (user: User | undefined): User[] => (user ? [user] : []);

/** Ids that are none of ours have no form that a store could look for. */
function requireId(id: string): string {
  const parsed = Id.safeParse(id);
  if (!parsed.success) throw userNotFound(id);
  return parsed.data;
}

function toProvisioned(user: User, known: ProvisionedResource | undefined): ProvisionedUser {
  const { id, email, first_name, last_name, role, is_disabled, created_at, updated_at } = user;
  const names = { user_name: known?.user_name ?? email, display_name: known?.display_name ?? null };
  const external_id = known?.external_id ?? null;
  return { id, email, ...names, external_id, first_name, last_name, role, is_active: !is_disabled, created_at, updated_at };
}

/** Names are compared without case, as `findByUserName` does; ids of the provider with it. */
function meets(user: ProvisionedUser, { name, value }: UserCondition): boolean {
  if (name === 'is_active') return user.is_active === value;
  const actual = user[name];
  return name === 'external_id' ? actual === value : actual?.toLowerCase() === value.trim().toLowerCase();
}
