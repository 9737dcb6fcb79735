import { AppError } from '../../kernel/errors.ts';
import type { Clock, Transactions } from '../../kernel/ports.ts';
import type { AccessService } from '../access-service.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Origin } from '../caller.ts';
import type { Secrets, TokenIssuer } from '../login/identity.ts';
import type { LoginStore } from '../login/login-store.ts';
import { getNetwork } from '../login/network.ts';
import type { Limit, RateLimiter } from '../login/rate-limiter.ts';
import type { RecentPrincipals } from '../login/recent-principals.ts';
import type { VerifiedEmail } from './email-verification.ts';
import type { User } from './user.ts';
import { CODE_MINUTES, type VerificationMails } from './verification-mails.ts';

const HOUR_MS = 3_600_000;
const REQUESTS: Limit = { name: 'verify email, requests of a network', max: 60, windowMs: HOUR_MS };
const MAILS: Limit = { name: 'verify email, mails of a network to an address', max: 5, windowMs: HOUR_MS };
/** As long as a code is good: when no more are mailed, the last one still is, whoever asked for it. */
const MAILS_FROM_ANYWHERE: Limit = { name: 'verify email, mails to an address', max: 10, windowMs: CODE_MINUTES * 60_000 };
const WRONG_CODES: Limit = { name: 'verify email, wrong codes of a network', max: 10, windowMs: 15 * 60_000 };

export interface EmailVerificationDeps {
  readonly accessStore: AccessStore;
  readonly loginStore: LoginStore;
  readonly accessService: Pick<AccessService, 'callerByToken'>;
  readonly tokenIssuer: TokenIssuer;
  readonly verificationMails: Pick<VerificationMails, 'sendLater'>;
  readonly rateLimiter: RateLimiter;
  readonly recentPrincipals: RecentPrincipals;
  readonly secrets: Secrets;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Proving that an address is one's own: a token for whoever asks, a code for whoever reads its mail, and both together. */
export class EmailVerificationService {
  readonly #deps: EmailVerificationDeps;

  constructor(deps: EmailVerificationDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a token that is good only for `complete`, for known and unknown addresses alike. Whoever brings a good token
   * of that very account has nothing left to prove and gets it back.
   */
  async begin(origin: Origin, email: string, bearer: string | undefined): Promise<string> {
    const { rateLimiter, tokenIssuer, verificationMails } = this.#deps;
    if (bearer !== undefined && (await this.#isTokenOf(bearer, email))) return bearer;
    const network = getNetwork(origin.address);
    await rateLimiter.count(REQUESTS, network);
    await rateLimiter.count(MAILS, `${network} ${email}`);
    await rateLimiter.count(MAILS_FROM_ANYWHERE, email);
    const token = await tokenIssuer.issueForVerification(email);
    verificationMails.sendLater(email);
    return token;
  }

  /**
   * Rejects with `unauthenticated` unless token and code are of one address, and with `too_many` in its place where a network does
   * so often. A good pair is never refused, and may come again: codes cannot be guessed.
   */
  async complete(origin: Origin, code: string, token: string): Promise<VerifiedEmail> {
    const { rateLimiter, recentPrincipals, tokenIssuer, transactions } = this.#deps;
    const email = await tokenIssuer.verifyForVerification(token);
    if (email === undefined) throw refused();
    const isProven = await transactions.run(() => this.#prove(origin, email, code));
    if (!isProven) {
      await rateLimiter.count(WRONG_CODES, getNetwork(origin.address));
      throw refused();
    }
    recentPrincipals.forget();
    return { message: `${email} is verified`, email_is_verified: true };
  }

  async #isTokenOf(bearer: string, email: string): Promise<boolean> {
    return (await this.#deps.accessService.callerByToken(bearer))?.email === email;
  }

  /** A code that comes with the token of another address is used up all the same: it is in the wrong hands. */
  async #prove(origin: Origin, email: string, code: string): Promise<boolean> {
    const { accessStore, clock, loginStore, secrets } = this.#deps;
    const now = clock();
    const stored = await loginStore.useCode(secrets.digest(code), now.toISOString());
    if (!stored || stored.email !== email || Date.parse(stored.expires_at) <= now.getTime()) return false;
    const user = await accessStore.findUser(stored.user_id);
    if (!user || user.email !== email) return false;
    if (stored.used_at !== null) return user.email_is_verified;
    if (!user.email_is_verified) await this.#verify(origin, user, now.toISOString());
    return true;
  }

  async #verify(origin: Origin, { id, email }: User, updated_at: string): Promise<void> {
    await this.#deps.accessStore.updateUser(id, { email_is_verified: true, updated_at });
    const actor = { actor_id: id, actor_email: email, scheme: 'email_code', api_key_id: null, ...origin };
    await this.#deps.auditTrail.toNote(actor, { action: 'email.verified', object_kind: 'user', object_id: id, details: {} });
  }
}

const refused = (): AppError =>
  new AppError('unauthenticated', 'verification_refused', 'token and code do not prove an address together, or not any more');
