import type { AccessStore, Identity, UserChanges } from '../../../core/access/access-store.ts';
import type { ApiKey, Organization, User } from '../../../core/access/users/user.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';
import { newestFirst, oldestFirst } from '../traces/time-order.ts';

const ORGANIZATION_ID = '7f0c1d5e-2b6a-4c1f-9d3e-5a8b7c6d4e21';

export class MemoryAccessStore implements AccessStore {
  readonly #database: MemoryDatabase;
  readonly #users: Table<string, User>;
  readonly #keys: Table<string, ApiKey>;
  readonly #identities: Cell<readonly Identity[]>;
  readonly #organization: Cell<Organization>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#database = database;
    this.#organization = database.cell<Organization>({ id: ORGANIZATION_ID, name: 'default' });
    this.#users = database.table();
    this.#keys = database.table();
    this.#identities = database.cell([]);
  }

  async organization(): Promise<Organization> {
    return { ...this.#organization.value };
  }

  async renameOrganization(name: string): Promise<void> {
    this.#organization.value = { ...this.#organization.value, name };
  }

  async insertUser(user: User): Promise<void> {
    if (this.#users.has(user.id)) throw userExists();
    this.#refuseTakenEmail(user);
    this.#users.set(user.id, structuredClone(user));
  }

  async findUser(id: string): Promise<User | undefined> {
    return structuredClone(this.#users.get(id));
  }

  async findUserByEmail(email: string): Promise<User | undefined> {
    return structuredClone([...this.#users.values()].find((user) => user.email === email));
  }

  async listUsers(ids: readonly string[]): Promise<User[]> {
    return structuredClone([...this.#users.values()].filter(({ id }) => ids.includes(id)));
  }

  async listUserPage(slice: Slice): Promise<User[]> {
    return structuredClone(sliced(oldestFirst([...this.#users.values()]), slice));
  }

  async countUsers(): Promise<number> {
    return this.#users.size;
  }

  async updateUser(id: string, changes: UserChanges): Promise<User | undefined> {
    const before = this.#users.get(id);
    if (!before) return undefined;
    const after = structuredClone({ ...before, ...changes });
    this.#refuseTakenEmail(after);
    this.#users.set(id, after);
    return structuredClone(after);
  }

  async endTokens(id: string): Promise<void> {
    const user = this.#users.get(id);
    if (user) this.#users.set(id, { ...user, token_version: user.token_version + 1 });
  }

  async removeUser(id: string): Promise<boolean> {
    for (const key of this.#keys.values()) if (key.user_id === id) this.#keys.delete(key.id);
    this.#identities.value = this.#identities.value.filter(({ user_id }) => user_id !== id);
    return this.#users.delete(id);
  }

  async holdAdmins(): Promise<string[]> {
    this.#database.hold();
    return [...this.#users.values()].filter(({ role, is_disabled }) => role === 'admin' && !is_disabled).map(({ id }) => id);
  }

  async insertApiKey(key: ApiKey): Promise<void> {
    const taken = [...this.#keys.values()].some(({ id, key_hash }) => id === key.id || key_hash === key.key_hash);
    if (taken) throw new AppError('conflict', 'api_key_exists', 'this API key exists');
    this.#keys.set(key.id, structuredClone(key));
  }

  async findApiKey(id: string): Promise<ApiKey | undefined> {
    return structuredClone(this.#keys.get(id));
  }

  async findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined> {
    return structuredClone([...this.#keys.values()].find((key) => key.key_hash === key_hash));
  }

  async listApiKeys(user_id: string, slice: Slice): Promise<ApiKey[]> {
    const keys = [...this.#keys.values()].filter((key) => key.user_id === user_id);
    return structuredClone(sliced(newestFirst(keys), slice));
  }

  async touchApiKey(id: string, last_used_at: string): Promise<void> {
    const key = this.#keys.get(id);
    if (key) this.#keys.set(id, { ...key, last_used_at });
  }

  async removeApiKey(id: string): Promise<boolean> {
    return this.#keys.delete(id);
  }

  async removeApiKeysOfProject(project_id: string): Promise<void> {
    for (const key of this.#keys.values()) if (key.project_id === project_id) this.#keys.delete(key.id);
  }

  async findUserByIdentity(issuer: string, subject: string): Promise<User | undefined> {
    const identity = this.#identity(issuer, subject);
    return identity && this.findUser(identity.user_id);
  }

  async insertIdentity(identity: Identity): Promise<void> {
    if (this.#identity(identity.issuer, identity.subject))
      throw new AppError('conflict', 'identity_exists', 'this account belongs to a user already');
    this.#identities.value = [...this.#identities.value, { ...identity }];
  }

  #identity(issuer: string, subject: string): Identity | undefined {
    return this.#identities.value.find((one) => one.issuer === issuer && one.subject === subject);
  }

  #refuseTakenEmail(user: User): void {
    if ([...this.#users.values()].some(({ id, email }) => id !== user.id && email === user.email)) throw userExists();
  }
}

const userExists = (): AppError => new AppError('conflict', 'user_exists', 'a user with this id or e-mail exists');
