import { AppError } from '../../kernel/errors.ts';
import type { Permission } from '../../kernel/permission.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import type { PasswordHasher } from '../login/identity.ts';
import type { LoginStore } from '../login/login-store.ts';
import { getNetwork } from '../login/network.ts';
import type { Limit, RateLimiter } from '../login/rate-limiter.ts';
import type { RecentPrincipals } from '../login/recent-principals.ts';
import { type AuthMethod, type NewUser, toUserView, type User, type UserAction, type UserUpdate, type UserView } from './user.ts';
import type { UserRemoval } from './user-removal.ts';
import {
  authorizeChange,
  endsSessions,
  refuseLastAdmin,
  requireCurrentPassword,
  requireNotOwn,
  toUserChange,
  type UserChange,
  userNotFound,
  whyNotOnUser,
  whyNotRole,
} from './user-rules.ts';
import type { VerificationMails } from './verification-mails.ts';

/**
 * A stolen session must not find out the password by trying, nor keep its owner, who is elsewhere, from changing it: the limit of a
 * network is reached long before that of all.
 */
const CURRENT_PASSWORDS: Limit = { name: 'wrong current passwords', max: 10, windowMs: 15 * 60_000 };
const CURRENT_PASSWORDS_ANYWHERE: Limit = { ...CURRENT_PASSWORDS, name: 'wrong current passwords, anywhere', max: 100 };

export interface UserDeps {
  readonly accessStore: AccessStore;
  readonly loginStore: LoginStore;
  readonly passwordHasher: PasswordHasher;
  readonly authorizer: Authorizer;
  readonly rateLimiter: RateLimiter;
  readonly recentPrincipals: RecentPrincipals;
  readonly userRemoval: UserRemoval;
  readonly verificationMails: Pick<VerificationMails, 'sendLater'>;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** With how they are to log in, where it is not by e-mail. */
type WantedUser = NewUser & { readonly auth_method?: AuthMethod };

/** The users of the organisation. All of them see each other; keys made for one project see none but their own user. */
export class UserService {
  readonly #deps: UserDeps;

  constructor(deps: UserDeps) {
    this.#deps = deps;
  }

  async getCurrentUser(caller: Caller): Promise<UserView> {
    return this.#view(await this.#find(caller.user_id));
  }

  async listUsers(
    caller: Caller,
    wanted: PageRequest,
    actions: readonly UserAction[],
  ): Promise<PageFields & { users: UserView[] }> {
    const { accessStore, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'read_users');
    const { items, page } = toPage(await accessStore.listUserPage(sliceFor(wanted)), wanted);
    const organization = await accessStore.organization();
    const users = items.map((user) => toUserView(user, organization, this.#permissions(caller, user, actions)));
    return { ...page, users };
  }

  async getUser(caller: Caller, id: string): Promise<UserView> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'read_users');
    return this.#view(await this.#find(id));
  }

  /** Rejects with `conflict` when the e-mail is taken. */
  async createUser(caller: Caller, { password, auth_method = 'email', ...facts }: WantedUser): Promise<UserView> {
    const { accessStore, auditTrail, authorizer, clock, newId, passwordHasher, transactions, verificationMails } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'manage_users');
    refuse(whyNotRole(caller, facts.role));
    const password_hash = password ? await passwordHasher.hash(password) : null;
    const now = clock().toISOString();
    const state = { auth_method, is_disabled: false, token_version: 0, created_at: now, updated_at: now } as const;
    const user: User = { id: newId(), ...facts, password_hash, ...state };
    await transactions.run(async () => {
      await accessStore.insertUser(user);
      const { email, role, email_is_verified } = user;
      const details = { email, role, email_is_verified };
      await auditTrail.note(caller, { action: 'user.create', object_kind: 'user', object_id: user.id, details });
    });
    if (!user.email_is_verified) verificationMails.sendLater(user.email);
    return this.#view(user);
  }

  /** Ends all sessions of the user when password, role, e-mail or state change. */
  async updateUser(caller: Caller, id: string, update: UserUpdate): Promise<UserView> {
    const { authorizer, recentPrincipals, transactions } = this.#deps;
    requireCurrentPassword(caller, id, update);
    authorizer.authorizeInOrganization(caller, 'read_users');
    const password_hash = update.password ? await this.#newHash(caller, id, update.password, update.current_password) : undefined;
    const user = await transactions.run(() => this.#change(caller, id, update, password_hash));
    recentPrincipals.forget();
    return this.#view(user);
  }

  /** Deletes a user. Objects that only this user owned become the caller's. */
  async deleteUser(caller: Caller, id: string): Promise<{ message: string }> {
    const { accessStore, authorizer, recentPrincipals, transactions, userRemoval } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'read_users');
    await transactions.run(async () => {
      const admins = await accessStore.holdAdmins();
      const user = await this.#find(id);
      if (id !== caller.user_id) refuse(this.#whyNot(caller, user, 'delete'));
      refuseLastAdmin(admins, user, undefined);
      requireNotOwn(caller, user);
      await userRemoval.remove(caller, user);
    });
    recentPrincipals.forget();
    authorizer.forget();
    return { message: `user ${id} was deleted` };
  }

  /** While administrators are held nobody's role changes, so what is decided here is still true when it is stored. */
  async #change(caller: Caller, id: string, update: UserUpdate, password_hash: string | undefined): Promise<User> {
    const { accessStore, clock } = this.#deps;
    const admins = await accessStore.holdAdmins();
    const before = await this.#find(id);
    refuse(this.#whyNot(caller, before, 'update'));
    const change = toUserChange(before, update, password_hash);
    if (Object.keys(change).length === 0) return before;
    refuseLastAdmin(admins, before, { ...before, ...change });
    authorizeChange(caller, before, change);
    const after = await accessStore.updateUser(id, { ...change, updated_at: clock().toISOString() });
    if (!after) throw userNotFound(id);
    if (endsSessions(change)) await this.#endSessions(id);
    await this.#noteChange(caller, before, after, change);
    return after;
  }

  /** Refresh tokens end with the access tokens; a code for a changed address would prove the wrong one. */
  async #endSessions(id: string): Promise<void> {
    const { accessStore, loginStore } = this.#deps;
    await accessStore.endTokens(id);
    await loginStore.removeRefreshTokensOf(id);
    await loginStore.removeCodesOf(id);
  }

  async #noteChange(caller: Caller, before: User, after: User, change: UserChange): Promise<void> {
    const names = Object.keys(change).map((name) => (name === 'password_hash' ? 'password' : name));
    const changed = names.sort().join(', ');
    const details: AuditEvent['details'] =
      change.role === undefined ? { changed } : { changed, role_before: before.role, role_after: after.role };
    await this.#deps.auditTrail.note(caller, { action: 'user.update', object_kind: 'user', object_id: after.id, details });
  }

  /** Hashing takes its time, so it is done before the transaction, and only for who may. */
  async #newHash(caller: Caller, id: string, password: string, current: string | null | undefined): Promise<string> {
    const user = await this.#find(id);
    refuse(this.#whyNot(caller, user, 'update'));
    if (caller.user_id === id) await this.#provePassword(caller, user, current ?? '');
    return this.#deps.passwordHasher.hash(password);
  }

  async #provePassword({ origin }: Caller, { id, password_hash }: User, current: string): Promise<void> {
    const { rateLimiter, passwordHasher } = this.#deps;
    if (password_hash === null)
      throw new AppError('forbidden', 'password_not_set', 'this account has no password; an administrator sets the first one');
    const here = `${id} ${getNetwork(origin.address)}`;
    await rateLimiter.count(CURRENT_PASSWORDS, here);
    await rateLimiter.count(CURRENT_PASSWORDS_ANYWHERE, id);
    if (!(await passwordHasher.verify(current, password_hash)))
      throw new AppError('forbidden', 'current_password_wrong', 'the current password is wrong');
    await rateLimiter.clear(CURRENT_PASSWORDS, here);
    await rateLimiter.clear(CURRENT_PASSWORDS_ANYWHERE, id);
  }

  async #find(id: string): Promise<User> {
    const user = await this.#deps.accessStore.findUser(id);
    if (!user) throw userNotFound(id);
    return user;
  }

  async #view(user: User): Promise<UserView> {
    return toUserView(user, await this.#deps.accessStore.organization(), []);
  }

  #permissions(caller: Caller, user: User, actions: readonly UserAction[]): Permission[] {
    return [...new Set(actions)].map((action) => {
      const message = this.#whyNot(caller, user, action);
      return { action, allowed: message === null, message };
    });
  }

  /** A key that may do less than its user does not manage accounts, its own user's included. */
  #whyNot(caller: Caller, user: User, action: UserAction): string | null {
    return this.#deps.authorizer.whyNotInOrganization(caller, 'manage_own_api_keys') ?? whyNotOnUser(caller, user, action);
  }
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new AppError('forbidden', 'role_too_low', reason);
}
