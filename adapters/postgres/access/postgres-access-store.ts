import type { AccessStore, Identity, UserChanges } from '../../../core/access/access-store.ts';
import type { ApiKey, Organization, User } from '../../../core/access/users/user.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { ApiKeyTable, UserIdentityTable, UserTable } from './access-tables.ts';

export class PostgresAccessStore implements AccessStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async organization(): Promise<Organization> {
    const [row] = await this.#session.sql<Organization>('select id, name from organizations');
    return row!;
  }

  async renameOrganization(name: string): Promise<void> {
    await this.#session.sql('update organizations set name = $1', [name]);
  }

  async insertUser(user: User): Promise<void> {
    await refusingDuplicateUser(() => this.#session.em.insert(UserTable, user));
  }

  findUser(id: string): Promise<User | undefined> {
    return this.#user({ id });
  }

  findUserByEmail(email: string): Promise<User | undefined> {
    return this.#user({ email });
  }

  async listUsers(ids: readonly string[]): Promise<User[]> {
    const rows = await this.#session.em.find(UserTable, { id: { $in: [...ids] } }, FRESH);
    return rows.map((row) => plain<User>(row));
  }

  async listUserPage(slice: Slice): Promise<User[]> {
    const orderBy = { created_at: 'asc', id: 'asc' } as const;
    const rows = await this.#session.em.find(UserTable, {}, { ...FRESH, ...slice, orderBy });
    return rows.map((row) => plain<User>(row));
  }

  countUsers(): Promise<number> {
    return this.#session.em.count(UserTable);
  }

  async updateUser(id: string, changes: UserChanges): Promise<User | undefined> {
    const found = await refusingDuplicateUser(() => this.#session.em.nativeUpdate(UserTable, { id }, changes));
    return found > 0 ? this.findUser(id) : undefined;
  }

  async endTokens(id: string): Promise<void> {
    await this.#session.sql('update users set token_version = token_version + 1 where id = $1', [id]);
  }

  removeUser(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(UserTable, { id });
      await this.#session.em.nativeDelete(ApiKeyTable, { user_id: id });
      await this.#session.em.nativeDelete(UserIdentityTable, { user_id: id });
      return found > 0;
    });
  }

  /**
   * Whoever asks waits at the one row that is always there, and then reads by a statement of its own, which sees also
   * who became an administrator meanwhile. The weaker lock on users lets objects be shared with them.
   */
  holdAdmins(): Promise<string[]> {
    return this.#session.run(async () => {
      await this.#session.sql('select from organizations for no key update');
      const rows = await this.#session.sql<{ id: string }>(
        `select id from users where role = 'admin' and not is_disabled order by id for no key update`,
      );
      return rows.map(({ id }) => id);
    });
  }

  async insertApiKey(key: ApiKey): Promise<void> {
    await refusingDuplicates('api_key_exists', 'this API key exists', () => this.#session.em.insert(ApiKeyTable, key));
  }

  findApiKey(id: string): Promise<ApiKey | undefined> {
    return this.#apiKey({ id });
  }

  findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined> {
    return this.#apiKey({ key_hash });
  }

  async listApiKeys(user_id: string, slice: Slice): Promise<ApiKey[]> {
    const orderBy = { created_at: 'desc', id: 'asc' } as const;
    const rows = await this.#session.em.find(ApiKeyTable, { user_id }, { ...FRESH, ...slice, orderBy });
    return rows.map((row) => plain<ApiKey>(row));
  }

  async touchApiKey(id: string, last_used_at: string): Promise<void> {
    await this.#session.em.nativeUpdate(ApiKeyTable, { id }, { last_used_at });
  }

  async removeApiKey(id: string): Promise<boolean> {
    return (await this.#session.em.nativeDelete(ApiKeyTable, { id })) > 0;
  }

  async removeApiKeysOfProject(project_id: string): Promise<void> {
    await this.#session.em.nativeDelete(ApiKeyTable, { project_id });
  }

  async findUserByIdentity(issuer: string, subject: string): Promise<User | undefined> {
    const identity = await this.#session.em.findOne(UserIdentityTable, { issuer, subject }, FRESH);
    return identity ? this.findUser(identity.user_id) : undefined;
  }

  async insertIdentity(identity: Identity): Promise<void> {
    await refusingDuplicates('identity_exists', 'this account belongs to a user already', () =>
      this.#session.em.insert(UserIdentityTable, identity),
    );
  }

  async #user(where: { id: string } | { email: string }): Promise<User | undefined> {
    const row = await this.#session.em.findOne(UserTable, where, FRESH);
    return row ? plain<User>(row) : undefined;
  }

  async #apiKey(where: { id: string } | { key_hash: string }): Promise<ApiKey | undefined> {
    const row = await this.#session.em.findOne(ApiKeyTable, where, FRESH);
    return row ? plain<ApiKey>(row) : undefined;
  }
}

const refusingDuplicateUser = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicates('user_exists', 'a user with this id or e-mail exists', write);
