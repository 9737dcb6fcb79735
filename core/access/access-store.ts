import type { ApiKey, User } from './user.ts';

/** Users and their API keys. Values handed in or out belong to the caller. */
export interface AccessStore {
  /** Rejects with AppError `conflict` when the id or the e-mail is taken. */
  insertUser(user: User): Promise<void>;
  findUser(id: string): Promise<User | undefined>;
  /** `email` as `normalEmail` gives it. */
  findUserByEmail(email: string): Promise<User | undefined>;
  /** In any order; unknown ids are left out. */
  listUsers(ids: readonly string[]): Promise<User[]>;
  countUsers(): Promise<number>;
  /** Rejects with AppError `conflict` when the id or the digest is taken. */
  insertApiKey(key: ApiKey): Promise<void>;
  findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined>;
  /** An unknown id is not an error: the key may have been deleted meanwhile. */
  touchApiKey(id: string, last_used_at: string): Promise<void>;
}
