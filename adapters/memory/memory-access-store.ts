import type { AccessStore } from '../../core/access/access-store.ts';
import type { ApiKey, User } from '../../core/access/user.ts';
import { AppError } from '../../core/kernel/errors.ts';

export class MemoryAccessStore implements AccessStore {
  readonly #users = new Map<string, User>();
  readonly #keys = new Map<string, ApiKey>();

  async insertUser(user: User): Promise<void> {
    const taken = [...this.#users.values()].some(({ id, email }) => id === user.id || email === user.email);
    if (taken) throw new AppError('conflict', 'user_exists', 'a user with this id or e-mail exists');
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

  async countUsers(): Promise<number> {
    return this.#users.size;
  }

  async insertApiKey(key: ApiKey): Promise<void> {
    const taken = [...this.#keys.values()].some(({ id, key_hash }) => id === key.id || key_hash === key.key_hash);
    if (taken) throw new AppError('conflict', 'api_key_exists', 'this API key exists');
    this.#keys.set(key.id, structuredClone(key));
  }

  async findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined> {
    return structuredClone([...this.#keys.values()].find((key) => key.key_hash === key_hash));
  }

  async touchApiKey(id: string, last_used_at: string): Promise<void> {
    const key = this.#keys.get(id);
    if (key) this.#keys.set(id, { ...key, last_used_at });
  }
}
