import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import type { AccessStore } from './access-store.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Origin, Principal } from './caller.ts';
import type { CredentialCheck } from './login/credential-check.ts';
import type { PasswordHasher, Secrets, TokenIssuer } from './login/identity.ts';
import type { LoginLimiter } from './login/login-limiter.ts';
import type { LoginStore } from './login/login-store.ts';
import { getNetwork } from './login/network.ts';
import type { RecentPrincipals } from './login/recent-principals.ts';
import { type ApiKey, normalEmail, type User } from './users/user.ts';

/** How long a proven credential is believed without asking the store again. One that another instance revoked or ended works no longer than this. */
const RECENT_MS = 1_000;
/** A password is proven at a price; the same pair is believed for longer. */
const RECENT_PASSWORD_MS = 60_000;
export const API_KEY_PREFIX = 'tsk_';

export interface AccessDeps {
  readonly accessStore: AccessStore;
  readonly loginStore: Pick<LoginStore, 'isSessionEnded'>;
  readonly tokenIssuer: TokenIssuer;
  readonly passwordHasher: PasswordHasher;
  readonly secrets: Secrets;
  readonly credentialCheck: CredentialCheck;
  readonly loginLimiter: LoginLimiter;
  readonly recentPrincipals: RecentPrincipals;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface FirstAdmin {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
}

/** Whom credentials stand for: keys, tokens, passwords. */
export class AccessService {
  readonly #deps: AccessDeps;
  /** Passwords that are being checked, by whose they are said to be and from where. */
  readonly #proving = new Map<string, Promise<User | undefined>>();

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** Whether the database is new: nobody can log in yet. */
  async isEmpty(): Promise<boolean> {
    return (await this.#deps.accessStore.countUsers()) === 0;
  }

  /** Makes the first administrator, with a key. Returns false, and changes nothing, when there is a user already. */
  async bootstrap({ email, password, api_key }: FirstAdmin): Promise<boolean> {
    const { accessStore, auditTrail, transactions, clock, newId, passwordHasher } = this.#deps;
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
        auth_method: 'email',
        email_is_verified: true,
        is_disabled: false,
        password_hash,
        token_version: 0,
        created_at: now,
        updated_at: now,
      };
      await accessStore.insertUser(user);
      await accessStore.insertApiKey(this.#getKey(user, api_key, 'first key', now));
      const details = { email: user.email };
      await auditTrail.noteUnknown(undefined, { action: 'user.bootstrap', object_kind: 'user', object_id: user.id, details });
      return true;
    });
  }

  /**
   * Undefined, here and below, when the credentials are not good for anyone. Rejects with AppError `too_many` for bad
   * keys of a network that sends many.
   */
  async callerByApiKey(api_key: string, origin: Origin): Promise<Principal | undefined> {
    const { secrets, recentPrincipals, loginLimiter, credentialCheck } = this.#deps;
    return recentPrincipals.remembered(`key ${secrets.digest(api_key)}`, RECENT_MS, async () => {
      const proven = await loginLimiter.secret(origin, () => credentialCheck.apiKey(api_key));
      return proven && toPrincipal(proven.user, 'api_key', proven.key);
    });
  }

  /** A token ends with its login. One that was got for a key lasts no longer than the key, and may do no more. */
  async callerByToken(token: string): Promise<Principal | undefined> {
    const claims = await this.#deps.tokenIssuer.verify(token);
    if (!claims) return undefined;
    const { user_id, token_version, api_key_id, session_id } = claims;
    const { credentialCheck, loginStore, recentPrincipals } = this.#deps;
    const proof = `token ${user_id} ${token_version} ${api_key_id} ${session_id}`;
    return recentPrincipals.remembered(proof, RECENT_MS, async () => {
      if (await loginStore.isSessionEnded(session_id)) return undefined;
      const proven = await credentialCheck.getToken(claims);
      return proven && toPrincipal(proven.user, 'bearer', proven.key);
    });
  }

  /**
   * A password is hashed once a minute; whether its user may still log in, and has not changed it, is asked as often as
   * for a key. Rejects with AppError `too_many` while their network has to wait after failed attempts, at this account
   * or at all.
   */
  async callerByPassword(email: string, password: string, origin: Origin): Promise<Principal | undefined> {
    const { secrets, recentPrincipals, loginLimiter, credentialCheck } = this.#deps;
    loginLimiter.requireNoDelay(email, origin);
    const proof = `password ${secrets.digest(`${normalEmail(email)}\n${password}`)}`;
    const prove = () =>
      recentPrincipals.remembered(proof, RECENT_PASSWORD_MS, () =>
        this.#shared(`${proof} ${getNetwork(origin.address)}`, () =>
          loginLimiter.password(email, origin, () => credentialCheck.password(email, password)),
        ),
      );
    const known = await prove();
    const principal = known && (await this.#stillOf(known));
    if (principal || !known) return principal;
    recentPrincipals.drop(proof);
    const anew = await prove();
    return anew && this.#stillOf(anew);
  }

  /** A client that sends many requests at once has its password hashed once for them all. */
  #shared(proof: string, prove: () => Promise<User | undefined>): Promise<User | undefined> {
    const known = this.#proving.get(proof);
    if (known) return known;
    const proving = prove().finally(() => this.#proving.delete(proof));
    this.#proving.set(proof, proving);
    return proving;
  }

  #stillOf({ id: user_id, token_version }: User): Promise<Principal | undefined> {
    return this.#deps.recentPrincipals.remembered(`user ${user_id} ${token_version}`, RECENT_MS, async () => {
      const proven = await this.#deps.credentialCheck.getToken({ user_id, token_version, api_key_id: null });
      return proven && toPrincipal(proven.user, 'basic');
    });
  }

  #getKey(user: User, api_key: string, description: string, now: string): ApiKey {
    return {
      id: this.#deps.newId(),
      user_id: user.id,
      key_hash: this.#deps.secrets.digest(api_key),
      description,
      truncated: api_key.slice(-4),
      project_id: null,
      max_role: null,
      purpose: null,
      expires_at: null,
      last_used_at: null,
      created_at: now,
    };
  }
}

function toPrincipal(user: User, scheme: Principal['scheme'], key?: ApiKey): Principal {
  const { id: api_key_id = null, project_id = null, max_role = null, purpose = null } = key ?? {};
  return { user_id: user.id, email: user.email, role: user.role, scheme, api_key_id, project_id, max_role, purpose };
}
