import { AppError } from '../../kernel/errors.ts';
import type { Caller } from '../caller.ts';
import type { UserRole } from '../role.ts';
import type { User, UserAction, UserUpdate } from './user.ts';

/** Fields that an update really changes. */
export type UserChange = Partial<Pick<User, 'first_name' | 'last_name' | 'role' | 'email' | 'is_disabled' | 'password_hash'>>;

/** Changes after which the user has to prove anew who they are. */
const ENDING_SESSIONS: readonly (keyof UserChange)[] = ['role', 'email', 'password_hash', 'is_disabled'];
/** Fields that nobody changes of their own account; an administrator may change their own e-mail. */
const NOT_ONES_OWN: readonly (keyof UserChange)[] = ['role', 'is_disabled'];

export const userNotFound = (id: string): AppError => new AppError('not_found', 'user_not_found', `user ${id} does not exist`);

const isOwn = (caller: Caller, user: User): boolean => caller.user_id === user.id;

/** Managers look after users who have no say in the organisation, and nobody else. */
const isManaged = (role: UserRole): boolean => role === 'user' || role === 'read_only';

/**
 * Why the caller's role does not allow this; null when it does. Deleting is for administrators alone, because what the
 * user owned passes to whoever deletes them.
 */
export function whyNotOnUser(caller: Caller, user: User, action: UserAction): string | null {
  if (isOwn(caller, user)) return action === 'delete' ? 'nobody deletes their own account' : null;
  if (caller.role === 'admin') return null;
  if (action === 'delete') return 'only administrators delete users';
  if (action === 'read_api_keys') return 'the API keys of others are shown to administrators';
  if (caller.role === 'manager' && isManaged(user.role)) return null;
  return caller.role === 'manager'
    ? `a user of role ${user.role} is changed by administrators`
    : 'only managers change other users';
}

export function whyNotRole(caller: Caller, role: UserRole): string | null {
  if (caller.role === 'admin' || (caller.role === 'manager' && isManaged(role))) return null;
  return `the role ${role} is given by administrators`;
}

/** Rejects with `forbidden` what the caller may change of the user, but not in this way. */
export function authorizeChange(caller: Caller, user: User, change: UserChange): void {
  const own = isOwn(caller, user) ? NOT_ONES_OWN.find((name) => name in change) : undefined;
  if (own !== undefined) throw ownAccount(`nobody changes ${own} of their own account`);
  if (isOwn(caller, user) && change.email !== undefined && caller.role !== 'admin')
    throw ownAccount('managers and administrators change the e-mail of others, nobody else changes their own');
  const refusal = change.role === undefined ? null : whyNotRole(caller, change.role);
  if (refusal !== null) throw new AppError('forbidden', 'role_too_low', refusal);
}

export function requireNotOwn(caller: Caller, user: User): void {
  if (isOwn(caller, user)) throw ownAccount('nobody deletes their own account');
}

/** Somebody has to be left who may do everything. `after` is undefined when the user is being deleted. */
export function refuseLastAdmin(admins: readonly string[], user: User, after: User | undefined): void {
  const isAdmin = after?.role === 'admin' && !after.is_disabled;
  if (isAdmin || admins.length !== 1 || admins[0] !== user.id) return;
  const loc = after === undefined ? ['path', 'user_id'] : ['body', after.is_disabled ? 'is_disabled' : 'role'];
  throw new AppError('invalid', 'last_admin', 'the last administrator has to stay', {
    issues: [{ loc, msg: 'the last administrator has to stay', type: 'last_admin' }],
  });
}

/** Says from the request alone that the password to prove oneself by is missing. */
export function requireCurrentPassword(caller: Caller, id: string, { password, current_password }: UserUpdate): void {
  if (caller.user_id !== id || !password || (current_password ?? null) !== null) return;
  const issues = [{ loc: ['body', 'current_password'], msg: 'field required to change your own password', type: 'missing' }];
  throw new AppError('invalid', 'current_password_missing', 'the current password is missing', { issues });
}

export function toUserChange(
  user: User,
  { first_name, last_name, role, email, is_disabled }: UserUpdate,
  password_hash?: string,
): UserChange {
  const wanted = { first_name, last_name, role, email, is_disabled, password_hash };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== null && value !== user[name as keyof UserChange],
  );
  return Object.fromEntries(changed);
}

export const endsSessions = (change: UserChange): boolean => ENDING_SESSIONS.some((name) => name in change);

const ownAccount = (message: string): AppError => new AppError('forbidden', 'own_account_protected', message);
