import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { AccessStore } from './access-store.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Authorizer } from './authorizer.ts';
import type { Caller, Origin } from './caller.ts';
import type { GroupMemberService } from './groups/group-member-service.ts';
import type { GroupService } from './groups/group-service.ts';
import type { GroupStore } from './groups/group-store.ts';
import type { Invitation, NewInvitation, SignedUp, Signup, SignupLink } from './invitation.ts';
import type { PasswordHasher, Secrets } from './login/identity.ts';
import type { LoginStore, VerificationCode } from './login/login-store.ts';
import { getNetwork } from './login/network.ts';
import type { Limit, RateLimiter } from './login/rate-limiter.ts';
import type { RecentPrincipals } from './login/recent-principals.ts';
import { toUserView, type User } from './users/user.ts';
import { whyNotOnUser } from './users/user-rules.ts';
import type { UserService } from './users/user-service.ts';

/** A code of another kind is not taken for one. */
const CODE_PREFIX = 'tsi_';
const LINK_DAYS = 7;
const WRONG_CODES: Limit = { name: 'sign-up, wrong codes of a network', max: 10, windowMs: 15 * 60_000 };

export interface InvitationDeps {
  readonly userService: UserService;
  readonly groupService: GroupService;
  readonly groupMemberService: GroupMemberService;
  readonly accessStore: AccessStore;
  readonly groupStore: GroupStore;
  readonly loginStore: LoginStore;
  readonly passwordHasher: PasswordHasher;
  readonly authorizer: Authorizer;
  readonly rateLimiter: RateLimiter;
  readonly recentPrincipals: RecentPrincipals;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string | undefined;
}

/** Accounts that managers make for others, and how these get their first password. */
export class InvitationService {
  readonly #deps: InvitationDeps;

  constructor(deps: InvitationDeps) {
    this.#deps = deps;
  }

  /**
   * Makes an account for each address that has none, and adds all of them to the groups, as members where they are not in
   * them. May be repeated. Rejects with `forbidden` and `not_found` before anything is made.
   */
  async invite(caller: Caller, { auth_method, emails, role, group_ids }: NewInvitation): Promise<Invitation> {
    const { authorizer, userService, groupService, accessStore } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'manage_users');
    for (const id of group_ids) await groupService.getGroup(caller, id, []);
    const ids: string[] = [];
    for (const email of new Set(emails)) {
      const facts = { email, role, first_name: '', last_name: '', email_is_verified: auth_method !== 'email', auth_method };
      const known = await accessStore.findUserByEmail(email);
      ids.push((known ?? (await userService.createUser(caller, facts))).id);
    }
    for (const id of group_ids) await this.#addTo(caller, id, ids);
    const users = await this.#inOrder(ids);
    return { message: `${users.length} users are invited`, users };
  }

  /**
   * An address of the console where the user sets their first password; good once, for a week. `base` is where the caller
   * reaches the service, for a service that was not told. Rejects with `conflict` when the user has a password or is disabled,
   * and with `forbidden` for the caller's own account: a stolen session must not become a password.
   */
  async signupLink(caller: Caller, email: string, base: string): Promise<SignupLink> {
    const { authorizer, accessStore, loginStore, auditTrail, transactions, secrets, clock, publicUrl } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'manage_users');
    const user = await accessStore.findUserByEmail(email);
    if (!user) throw new AppError('not_found', 'user_not_found', `no user has the e-mail ${email}`);
    refuseLink(caller, user);
    const code = secrets.mint(CODE_PREFIX);
    const now = clock();
    const expires_at = new Date(now.getTime() + LINK_DAYS * 86_400_000).toISOString();
    const stored = { code_hash: secrets.digest(code), user_id: user.id, email, created_at: now.toISOString() };
    await transactions.run(async () => {
      await loginStore.insertCode({ ...stored, expires_at, used_at: null });
      await auditTrail.note(caller, { action: 'user.signup_link', object_kind: 'user', object_id: user.id, details: {} });
    });
    return { signup_link: `${publicUrl ?? base}/#/signup/${code}`, expires_at };
  }

  /**
   * Sets the password, takes the address for proven and ends all sessions. Rejects with `unauthenticated` unless the code is a
   * good one, and with `too_many` in its place where a network does so often. A good code is never refused for the bad ones
   * beside it, and only a good one costs a hash.
   */
  async signUp(origin: Origin, { code, password, ...names }: Signup): Promise<SignedUp> {
    const { rateLimiter, loginStore, passwordHasher, recentPrincipals, secrets, transactions } = this.#deps;
    const stored = code.startsWith(CODE_PREFIX) ? await loginStore.findCode(secrets.digest(code)) : undefined;
    if (!(await this.#getUser(stored))) {
      await rateLimiter.count(WRONG_CODES, getNetwork(origin.address));
      throw codeRefused();
    }
    const password_hash = await passwordHasher.hash(password);
    const email = await transactions.run(() => this.#complete(origin, code, password_hash, names));
    recentPrincipals.forget();
    return { message: `${email} has signed up`, email };
  }

  /** While administrators are held nobody else changes the account, so of two links at once only one is good. */
  async #complete(
    origin: Origin,
    code: string,
    password_hash: string,
    { first_name, last_name }: Pick<Signup, 'first_name' | 'last_name'>,
  ): Promise<string> {
    const { accessStore, auditTrail, clock, loginStore, secrets } = this.#deps;
    await accessStore.holdAdmins();
    const updated_at = clock().toISOString();
    const user = await this.#getUser(await loginStore.useCode(secrets.digest(code), updated_at));
    if (!user) throw codeRefused();
    await loginStore.removeCodesOf(user.id);
    await loginStore.removeRefreshTokensOf(user.id);
    const names = { ...(first_name ? { first_name } : {}), ...(last_name ? { last_name } : {}) };
    await accessStore.updateUser(user.id, { ...names, password_hash, email_is_verified: true, updated_at });
    await accessStore.endTokens(user.id);
    const actor = { actor_id: user.id, actor_email: user.email, scheme: 'signup_link', api_key_id: null, ...origin };
    await auditTrail.toNote(actor, { action: 'user.signup', object_kind: 'user', object_id: user.id, details: {} });
    return user.email;
  }

  /** Whose first password the code sets; undefined when it is good no longer. */
  async #getUser(stored: VerificationCode | undefined): Promise<User | undefined> {
    const { accessStore, clock } = this.#deps;
    if (!stored || stored.used_at !== null || Date.parse(stored.expires_at) <= clock().getTime()) return undefined;
    const user = await accessStore.findUser(stored.user_id);
    const isGood = user && user.email === stored.email && !user.is_disabled && user.password_hash === null;
    return isGood ? user : undefined;
  }

  async #inOrder(ids: readonly string[]): Promise<Invitation['users']> {
    const { accessStore } = this.#deps;
    const organization = await accessStore.organization();
    const users = new Map((await accessStore.listUsers(ids)).map((user) => [user.id, toUserView(user, organization, [])]));
    return ids.map((id) => users.get(id)).filter((user) => user !== undefined);
  }

  async #addTo(caller: Caller, group_id: string, user_ids: readonly string[]): Promise<void> {
    const { groupStore, groupMemberService } = this.#deps;
    const missing: string[] = [];
    for (const id of user_ids) {
      const member = await groupStore.findMember(group_id, id);
      if (member === undefined || member.role === 'pending') missing.push(id);
    }
    if (missing.length === 0) return;
    await groupMemberService.addMembers(
      caller,
      group_id,
      missing.map((user_id) => ({ user_id, role: 'member' as const })),
    );
  }
}

function refuseLink(caller: Caller, user: User): void {
  if (caller.user_id === user.id)
    throw new AppError('forbidden', 'own_account_protected', 'nobody makes a sign-up link for their own account');
  const refusal = whyNotOnUser(caller, user, 'update');
  if (refusal !== null) throw new AppError('forbidden', 'role_too_low', refusal);
  if (user.password_hash !== null) throw new AppError('conflict', 'user_signed_up', 'the user has a password already');
  if (user.is_disabled) throw new AppError('conflict', 'user_disabled', 'the user is disabled');
}

const codeRefused = (): AppError =>
  new AppError('unauthenticated', 'signup_refused', 'the sign-up link is not good, or not any more');
