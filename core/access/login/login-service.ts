import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { Identity } from '../../plugin-sdk/index.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Origin } from '../caller.ts';
import type { ApiKey, User } from '../users/user.ts';
import type { CredentialCheck } from './credential-check.ts';
import type { BegunSignIn, CodeAnswer, CodeSignIns, IdentityVerifier, PendingSignIn, Secrets, TokenIssuer } from './identity.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { LoginStore, RefreshToken } from './login-store.ts';
import type { RecentPrincipals } from './recent-principals.ts';
import { loginActor, type SocialLogin } from './social-login.ts';
import type { SocialDirectory, SocialSignIn } from './social-sign-in.ts';

export const REFRESH_DAYS = 30;
const REFRESH_MS = REFRESH_DAYS * 24 * 60 * 60_000;
/** A client that raced itself sends a used token again at once; a thief seldom does. */
const RACE_MS = 10_000;
/** Longer than anything counts attempts for. */
const ATTEMPTS_KEPT_MS = 2 * 24 * 60 * 60_000;
const REFRESH_PREFIX = 'tsr_';

export interface LoginDeps {
  readonly credentialCheck: CredentialCheck;
  readonly loginLimiter: LoginLimiter;
  readonly socialLogin: SocialLogin;
  readonly identityProviders: IdentityVerifier & SocialDirectory;
  readonly codeSignIns: CodeSignIns;
  readonly loginStore: LoginStore;
  readonly recentPrincipals: RecentPrincipals;
  readonly tokenIssuer: TokenIssuer;
  readonly secrets: Secrets;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface LoginTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A login that succeeded, as the audit log shows it. */
interface Login {
  readonly user: User;
  readonly key?: ApiKey;
  readonly scheme: 'password' | 'api_key' | 'social';
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Exchanges credentials for tokens. Every refusal is the same AppError `unauthenticated`, whatever was wrong: it does not
 * tell which users exist. Too many failures reject with `too_many`.
 */
export class LoginService {
  readonly #deps: LoginDeps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
  }

  /** Never believes a password from memory: that would be faster for those who were here a moment ago. */
  async loginWithPassword(email: string, password: string, origin: Origin): Promise<LoginTokens> {
    const { loginLimiter, credentialCheck } = this.#deps;
    const user = await loginLimiter.password(email, origin, () => credentialCheck.password(email, password));
    if (!user) throw refused();
    return this.#logIn({ user, scheme: 'password' }, origin);
  }

  /** The tokens end with the key and may do no more than it. */
  async loginWithApiKey(api_key: string, origin: Origin): Promise<LoginTokens> {
    const { loginLimiter, credentialCheck } = this.#deps;
    const proven = await loginLimiter.secret(origin, () => credentialCheck.apiKey(api_key));
    if (!proven) throw refused();
    return this.#logIn({ ...proven, scheme: 'api_key' }, origin);
  }

  /** Where somebody can be sent for an id token. */
  listSocialProviders(): Promise<SocialSignIn[]> {
    return this.#deps.identityProviders.list();
  }

  /** Rejects with AppError `bad_request` when the provider is not set up, `unavailable` when its keys cannot be had. */
  async loginWithSocial(provider: string, id_token: string, origin: Origin): Promise<LoginTokens> {
    const { identityProviders, loginStore, secrets, socialLogin } = this.#deps;
    const settings = identityProviders.settings(provider);
    if (!settings) throw new AppError('bad_request', 'provider_not_configured', `social login by ${provider} is not set up`);
    const identity = await identityProviders.verify(provider, id_token);
    if (!identity) throw refused();
    const signed = secrets.digest(toSignedPart(id_token));
    if (settings.single_use && !(await loginStore.rememberIdToken(signed, identity.expires_at))) throw refused();
    const user = await socialLogin.getUser({ provider, identity, settings }, origin);
    if (!user) throw refused();
    return this.#logIn({ user, scheme: 'social', details: { provider } }, origin);
  }

  /** As `CodeSignIns.begin`. */
  beginSignIn(provider: string): Promise<BegunSignIn> {
    return this.#deps.codeSignIns.begin(provider);
  }

  /**
   * Ends a sign-in in the browser that began it, which holds `sealed`. Rejects with `unauthenticated`: `sign_in_not_begun` where it did not
   * begin there, is over, or was ended before, and as other logins where nobody may log in by the code.
   */
  async loginWithCode(sealed: string | undefined, answer: CodeAnswer, origin: Origin): Promise<LoginTokens> {
    const { codeSignIns, identityProviders, loginLimiter, loginStore, secrets, socialLogin } = this.#deps;
    const pending = sealed === undefined ? undefined : codeSignIns.open(sealed, answer.state);
    const settings = pending && identityProviders.settings(pending.provider);
    if (!pending || !settings) throw notBegun();
    // One sign-in ends once, whichever instance is asked, and whatever the provider thinks of its codes.
    if (!(await loginStore.rememberIdToken(secrets.digest(`sign-in ${pending.state}`), pending.expires_at))) throw notBegun();
    const proven = await loginLimiter.secret(origin, () => this.#redeem(pending, answer));
    const user = proven && (await socialLogin.getUser({ provider: pending.provider, identity: proven, settings }, origin));
    if (!user) throw refused();
    return this.#logIn({ user, scheme: 'social', details: { provider: pending.provider, flow: 'code' } }, origin);
  }

  #redeem(pending: PendingSignIn, answer: CodeAnswer): Promise<Identity | undefined> {
    return this.#deps.codeSignIns.redeem(pending, answer);
  }

  /**
   * Exchanges a refresh token for the next one of its family. Rejects with `unauthenticated` when it is unknown or
   * expired, when user, password or key are not what they were at login, and when it was used before; that also ends the
   * whole family, because one of the two who use it has stolen it.
   */
  async refresh(refresh_token: string): Promise<LoginTokens> {
    const { loginStore, credentialCheck, secrets, transactions, tokenIssuer } = this.#deps;
    const now = this.#deps.clock();
    const next = secrets.mint(REFRESH_PREFIX);
    // Whatever a refusal changes has to be kept as well: the transaction returns a result, it does not reject.
    const token = await transactions.run(async () => {
      const used = await loginStore.useRefreshToken(secrets.digest(refresh_token), now.toISOString());
      if (!used || Date.parse(used.expires_at) <= now.getTime()) return undefined;
      // Its next token may have been on its way when the family was removed.
      const isOver = wasStolen(used, now) || (await loginStore.isSessionEnded(used.family_id));
      const proven = isOver ? undefined : await credentialCheck.getToken(used);
      if (!proven) await this.#end(used.family_id, now);
      else await loginStore.insertRefreshToken(this.#refreshToken(next, used));
      return proven && used;
    });
    if (!token) throw new AppError('unauthenticated', 'refresh_refused', 'the refresh token is not valid');
    return { access_token: await tokenIssuer.issue({ ...token, session_id: token.family_id }), refresh_token: next };
  }

  /**
   * Ends the logins of both tokens, with all access and refresh tokens that came of them, in this instance at once and in others
   * within a second. A token that is unknown has ended already.
   */
  async logout({ access_token, refresh_token }: Partial<LoginTokens>): Promise<void> {
    const { loginStore, recentPrincipals, secrets, tokenIssuer, transactions, clock } = this.#deps;
    const now = clock();
    const claims = access_token === undefined ? undefined : await tokenIssuer.verify(access_token);
    await transactions.run(async () => {
      const digest = refresh_token === undefined ? undefined : secrets.digest(refresh_token);
      const token = digest === undefined ? undefined : await loginStore.useRefreshToken(digest, now.toISOString());
      const ended = [token?.family_id, claims?.session_id].filter((id) => id !== undefined);
      for (const session_id of new Set(ended)) await this.#end(session_id, now);
    });
    recentPrincipals.forget();
  }

  /** Removes what is of no use any more. To be called now and then. */
  async tidy(): Promise<void> {
    const now = this.#deps.clock();
    await this.#deps.loginStore.removeExpired(now.toISOString(), new Date(now.getTime() - ATTEMPTS_KEPT_MS).toISOString());
  }

  /** Remembered for as long as a token of it could be about. */
  async #end(session_id: string, now: Date): Promise<void> {
    const { loginStore } = this.#deps;
    await loginStore.endSession(session_id, new Date(now.getTime() + REFRESH_MS).toISOString());
    await loginStore.removeRefreshFamily(session_id);
  }

  async #logIn({ user, key, scheme, details = {} }: Login, origin: Origin): Promise<LoginTokens> {
    const { loginStore, auditTrail, secrets, transactions, tokenIssuer, newId } = this.#deps;
    const api_key_id = key?.id ?? null;
    const session_id = newId();
    const claims = { user_id: user.id, token_version: user.token_version, api_key_id };
    const refresh_token = secrets.mint(REFRESH_PREFIX);
    const event = { action: `login.${scheme}`, object_kind: 'user', object_id: user.id, details };
    await transactions.run(async () => {
      await loginStore.insertRefreshToken(this.#refreshToken(refresh_token, { ...claims, family_id: session_id }));
      await auditTrail.toNote(loginActor(user, scheme, origin, api_key_id), event);
    });
    return { access_token: await tokenIssuer.issue({ ...claims, session_id }), refresh_token };
  }

  #refreshToken(token: string, of: Pick<RefreshToken, 'family_id' | 'user_id' | 'token_version' | 'api_key_id'>): RefreshToken {
    const { clock, secrets } = this.#deps;
    const now = clock();
    return {
      token_hash: secrets.digest(token),
      family_id: of.family_id,
      user_id: of.user_id,
      token_version: of.token_version,
      api_key_id: of.api_key_id,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + REFRESH_MS).toISOString(),
      used_at: null,
    };
  }
}

/** Only what is signed tells tokens apart: some signatures can be rewritten into others that are good too. */
const toSignedPart = (token: string): string => /^([^.]+\.[^.]+)\.[^.]+$/.exec(token)?.[1] ?? token;

const wasStolen = ({ used_at }: RefreshToken, now: Date): boolean =>
  used_at !== null && now.getTime() - Date.parse(used_at) > RACE_MS;

const notBegun = (): AppError =>
  new AppError('unauthenticated', 'sign_in_not_begun', 'the sign-in was not begun in this browser, or is over');

const refused = (): AppError => new AppError('unauthenticated', 'login_refused', 'user name, password or key is not valid');
