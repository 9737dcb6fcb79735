import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import type { AccessStore } from './access-store.ts';
import type { Caller } from './caller.ts';
import type { PasswordHasher, Secrets, TokenIssuer } from './identity.ts';
import { type ApiKey, normalEmail, summaryOf, type User, type UserSummary } from './user.ts';

/** How long a proven credential is believed without asking the store again. A revoked one works no longer than this. */
const RECENT_MS = 5_000;
/** A password is proven at a price; the same pair is believed for longer. */
const RECENT_PASSWORD_MS = 60_000;
const MAX_RECENT = 10_000;
const TOUCH_EVERY_MS = 60_000;
export const API_KEY_PREFIX = 'tsk_';

export interface AccessDeps {
  readonly accessStore: AccessStore;
  readonly tokenIssuer: TokenIssuer;
  readonly passwordHasher: PasswordHasher;
  readonly secrets: Secrets;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface FirstAdmin {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
}

/** Who a caller is: login, tokens, keys. */
export class AccessService {
  readonly #deps: AccessDeps;
  readonly #recent = new Map<string, { readonly caller: Caller; readonly until: number }>();

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** Whether the database is new: nobody can log in yet. */
  async isEmpty(): Promise<boolean> {
    return (await this.#deps.accessStore.countUsers()) === 0;
  }

  /** Makes the first administrator, with a key. Answers false, and changes nothing, when there is a user already. */
  async bootstrap({ email, password, api_key }: FirstAdmin): Promise<boolean> {
    const { accessStore, transactions, clock, newId, passwordHasher } = this.#deps;
    const password_hash = await passwordHasher.hash(password);
    return transactions.run(async () => {
      if ((await accessStore.countUsers()) > 0) return false;
      const now = clock().toISOString();
      const user: User = {
        id: newId(),
        email: normalEmail(email),
        first_name: '',
        last_name: '',
        role: 'admin',
        password_hash,
        token_version: 0,
        created_at: now,
        updated_at: now,
      };
      await accessStore.insertUser(user);
      await accessStore.insertApiKey(this.#keyOf(user, api_key, 'first key', now));
      return true;
    });
  }

  /** Rejects with `unauthenticated`: the same for an unknown user and a wrong password. */
  async loginWithPassword(email: string, password: string): Promise<string> {
    const caller = await this.callerByPassword(email, password);
    return this.#tokenFor(caller);
  }

  async loginWithApiKey(api_key: string): Promise<string> {
    const caller = await this.callerByApiKey(api_key);
    return this.#tokenFor(caller);
  }

  async callerByApiKey(api_key: string): Promise<Caller | undefined> {
    const key_hash = this.#deps.secrets.digest(api_key);
    return this.#remembered(`key ${key_hash}`, RECENT_MS, async () => {
      const key = await this.#deps.accessStore.findApiKeyByHash(key_hash);
      if (!key || this.#isExpired(key)) return undefined;
      await this.#touch(key);
      return this.#callerOf(await this.#deps.accessStore.findUser(key.user_id), 'api_key');
    });
  }

  async callerByToken(token: string): Promise<Caller | undefined> {
    const claims = await this.#deps.tokenIssuer.verify(token);
    if (!claims) return undefined;
    return this.#remembered(`token ${claims.user_id} ${claims.token_version}`, RECENT_MS, async () => {
      const user = await this.#deps.accessStore.findUser(claims.user_id);
      return user?.token_version === claims.token_version ? this.#callerOf(user, 'bearer') : undefined;
    });
  }

  async callerByPassword(email: string, password: string): Promise<Caller | undefined> {
    const { accessStore, passwordHasher, secrets } = this.#deps;
    const pair = secrets.digest(`${normalEmail(email)}\n${password}`);
    return this.#remembered(`password ${pair}`, RECENT_PASSWORD_MS, async () => {
      const user = await accessStore.findUserByEmail(normalEmail(email));
      const proven = await passwordHasher.verify(password, user?.password_hash);
      return proven ? this.#callerOf(user, 'basic') : undefined;
    });
  }

  /** Summaries by user id, for the `created_by_user` fields of a list. */
  async summaries(ids: readonly (string | null)[]): Promise<Map<string, UserSummary>> {
    const known = [...new Set(ids.filter((id): id is string => id !== null))];
    const users = known.length > 0 ? await this.#deps.accessStore.listUsers(known) : [];
    return new Map(users.map((user) => [user.id, summaryOf(user)]));
  }

  async #tokenFor(caller: Caller | undefined): Promise<string> {
    const user = caller && (await this.#deps.accessStore.findUser(caller.user_id));
    if (!user) throw new AppError('unauthenticated', 'login_refused', 'user name, password or key is not valid');
    return this.#deps.tokenIssuer.issue({ user_id: user.id, token_version: user.token_version });
  }

  async #remembered(proof: string, forMs: number, prove: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const now = this.#deps.clock().getTime();
    const known = this.#recent.get(proof);
    if (known && known.until > now) return known.caller;
    const caller = await prove();
    this.#recent.delete(proof);
    if (caller) this.#recent.set(proof, { caller, until: now + forMs });
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
    return caller;
  }

  async #touch(key: ApiKey): Promise<void> {
    const now = this.#deps.clock();
    const last = key.last_used_at === null ? 0 : Date.parse(key.last_used_at);
    if (now.getTime() - last > TOUCH_EVERY_MS) await this.#deps.accessStore.touchApiKey(key.id, now.toISOString());
  }

  #isExpired(key: ApiKey): boolean {
    return key.expires_at !== null && Date.parse(key.expires_at) <= this.#deps.clock().getTime();
  }

  #callerOf(user: User | undefined, scheme: Caller['scheme']): Caller | undefined {
    return user && { user_id: user.id, email: user.email, role: user.role, scheme };
  }

  #keyOf(user: User, api_key: string, description: string, now: string): ApiKey {
    return {
      id: this.#deps.newId(),
      user_id: user.id,
      key_hash: this.#deps.secrets.digest(api_key),
      description,
      truncated: api_key.slice(-4),
      expires_at: null,
      last_used_at: null,
      created_at: now,
    };
  }
}
