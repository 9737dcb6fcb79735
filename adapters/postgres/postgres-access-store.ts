import type { AccessStore } from '../../core/access/access-store.ts';
import type { ApiKey, User } from '../../core/access/user.ts';
import { ApiKeyTable, UserTable } from './access-tables.ts';
import { plain } from './columns.ts';
import type { PostgresSession } from './postgres-session.ts';
import { refusingDuplicates } from './violations.ts';

export class PostgresAccessStore implements AccessStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insertUser(user: User): Promise<void> {
    await refusingDuplicates('user_exists', 'a user with this id or e-mail exists', () =>
      this.#session.em.insert(UserTable, user),
    );
  }

  async findUser(id: string): Promise<User | undefined> {
    const row = await this.#session.em.findOne(UserTable, { id });
    return row ? plain<User>(row) : undefined;
  }

  async findUserByEmail(email: string): Promise<User | undefined> {
    const row = await this.#session.em.findOne(UserTable, { email });
    return row ? plain<User>(row) : undefined;
  }

  async listUsers(ids: readonly string[]): Promise<User[]> {
    const rows = await this.#session.em.find(UserTable, { id: { $in: [...ids] } });
    return rows.map((row) => plain<User>(row));
  }

  countUsers(): Promise<number> {
    return this.#session.em.count(UserTable);
  }

  async insertApiKey(key: ApiKey): Promise<void> {
    await refusingDuplicates('api_key_exists', 'this API key exists', () => this.#session.em.insert(ApiKeyTable, key));
  }

  async findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined> {
    const row = await this.#session.em.findOne(ApiKeyTable, { key_hash });
    return row ? plain<ApiKey>(row) : undefined;
  }

  async touchApiKey(id: string, last_used_at: string): Promise<void> {
    await this.#session.em.nativeUpdate(ApiKeyTable, { id }, { last_used_at });
  }
}
