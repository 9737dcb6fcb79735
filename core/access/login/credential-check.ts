import type { Clock } from '../../kernel/ports.ts';
import type { AccessStore } from '../access-store.ts';
import { type ApiKey, mayLogIn, normalEmail, type User } from '../users/user.ts';
import type { PasswordHasher, Secrets } from './identity.ts';

const TOUCH_EVERY_MS = 60_000;

export interface CredentialCheckDeps {
  readonly accessStore: AccessStore;
  readonly passwordHasher: PasswordHasher;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** A key that is good, and whose it is. */
export interface ProvenKey {
  readonly user: User;
  readonly key: ApiKey;
}

/**
 * Checks credentials against the stores, each time anew. Returns undefined when they are not good for anyone, also when
 * they are right and their user may not log in.
 */
export class CredentialCheck {
  readonly #deps: CredentialCheckDeps;

  constructor(deps: CredentialCheckDeps) {
    this.#deps = deps;
  }

  /** Hashes whatever is asked, so that neither answer nor time tells unknown, disabled and unverified users from others. */
  async password(email: string, password: string): Promise<User | undefined> {
    const user = await this.#deps.accessStore.findUserByEmail(normalEmail(email));
    const isRight = await this.#deps.passwordHasher.verify(password, user?.password_hash);
    return isRight && user && mayLogIn(user) ? user : undefined;
  }

  /** Notes, once a minute, that the key is in use. */
  async apiKey(api_key: string): Promise<ProvenKey | undefined> {
    const key = await this.#deps.accessStore.findApiKeyByHash(this.#deps.secrets.digest(api_key));
    if (!key || this.#isExpired(key)) return undefined;
    const user = await this.#deps.accessStore.findUser(key.user_id);
    if (!user || !mayLogIn(user)) return undefined;
    await this.#touch(key);
    return { user, key };
  }

  /** The user of a token that was got with `api_key_id`, and that key. A token ends with its user's version and its key. */
  async getToken(token: {
    readonly user_id: string;
    readonly token_version: number;
    readonly api_key_id: string | null;
  }): Promise<{ readonly user: User; readonly key: ApiKey | undefined } | undefined> {
    const user = await this.#deps.accessStore.findUser(token.user_id);
    if (!user || !mayLogIn(user) || user.token_version !== token.token_version) return undefined;
    if (token.api_key_id === null) return { user, key: undefined };
    const key = await this.#deps.accessStore.findApiKey(token.api_key_id);
    return key && key.user_id === user.id && !this.#isExpired(key) ? { user, key } : undefined;
  }

  async #touch(key: ApiKey): Promise<void> {
    const now = this.#deps.clock();
    const last = key.last_used_at === null ? 0 : Date.parse(key.last_used_at);
    if (now.getTime() - last > TOUCH_EVERY_MS) await this.#deps.accessStore.touchApiKey(key.id, now.toISOString());
  }

  #isExpired(key: ApiKey): boolean {
    return key.expires_at !== null && Date.parse(key.expires_at) <= this.#deps.clock().getTime();
  }
}
