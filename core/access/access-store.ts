import type { Slice } from '../kernel/query/page.ts';
import type { ApiKey, Organization, User } from './users/user.ts';

export type UserChanges = Partial<Omit<User, 'id' | 'created_at'>> & Pick<User, 'updated_at'>;

/** The organisation, its users, their API keys and their accounts elsewhere. Values handed in or out belong to the caller. */
export interface AccessStore {
  /** The one organisation, made with the schema. */
  organization(): Promise<Organization>;
  renameOrganization(name: string): Promise<void>;

  /** Rejects with AppError `conflict` when the id or the e-mail is taken. */
  insertUser(user: User): Promise<void>;
  findUser(id: string): Promise<User | undefined>;
  /** `email` as `normalEmail` gives it. */
  findUserByEmail(email: string): Promise<User | undefined>;
  /** In any order; unknown ids are left out. */
  listUsers(ids: readonly string[]): Promise<User[]>;
  /** Oldest first, then by id. */
  listUserPage(slice: Slice): Promise<User[]>;
  countUsers(): Promise<number>;
  /** Returns the user as it is now, undefined when there is none. Rejects with AppError `conflict` when the e-mail is taken. */
  updateUser(id: string, changes: UserChanges): Promise<User | undefined>;
  /** Adds one to the token version of the user. An unknown id is not an error. */
  endTokens(id: string): Promise<void>;
  /** Removes the user with keys and accounts elsewhere. Returns whether there was one. */
  removeUser(id: string): Promise<boolean>;
  /** Ids of the administrators that are not disabled; inside a transaction, no other one can change them until that ends. */
  holdAdmins(): Promise<string[]>;

  /** Rejects with AppError `conflict` when the id or the digest is taken. */
  insertApiKey(key: ApiKey): Promise<void>;
  findApiKey(id: string): Promise<ApiKey | undefined>;
  findApiKeyByHash(key_hash: string): Promise<ApiKey | undefined>;
  /** Newest first, then by id. */
  listApiKeys(user_id: string, slice: Slice): Promise<ApiKey[]>;
  /** An unknown id is not an error: the key may have been deleted meanwhile. */
  touchApiKey(id: string, last_used_at: string): Promise<void>;
  /** Returns whether there was one. */
  removeApiKey(id: string): Promise<boolean>;
  /** Removes the keys that were made for a project. */
  removeApiKeysOfProject(project_id: string): Promise<void>;

  /** The user whom an account elsewhere belongs to: issuer and subject of an id token. */
  findUserByIdentity(issuer: string, subject: string): Promise<User | undefined>;
  /** Rejects with AppError `conflict` when the account belongs to a user already. */
  insertIdentity(identity: Identity): Promise<void>;
}

/** An account elsewhere that a user logs in with. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly created_at: string;
}
