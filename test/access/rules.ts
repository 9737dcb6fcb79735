import {
  type CallerFacts,
  type GroupRow,
  type OrganizationRole,
  type OrganizationRow,
  ROLES,
  type Role,
  type ScorerRow,
  type UserRow,
} from './row.ts';

export type Standing = 'maintainer' | 'member' | 'pending' | 'outsider';
export type Visibility = 'public' | 'protected' | 'private' | 'hidden';

const atMost = (role: Role, most: Role): Role => (ROLES.indexOf(role) < ROLES.indexOf(most) ? role : most);
const isManager = ({ role }: CallerFacts): boolean => role === 'admin' || role === 'manager';

/** The role that counts on an object that exists, of what the caller was given on it. */
export function roleThatCounts(caller: CallerFacts, given: Role | null): Role | null {
  if (caller.key_project === 'another') return null;
  const own = caller.role === 'admin' ? 'owner' : given;
  if (own === null) return null;
  const byUser = caller.role === 'read_only' ? atMost(own, 'viewer') : own;
  const byKey = caller.key_role === null ? byUser : atMost(byUser, caller.key_role);
  return caller.key_project === null ? byKey : atMost(byKey, 'editor');
}

/** As `roleThatCounts`, on what belongs to no project: keys made for one see it as their user does, and change nothing. */
export function roleOutsideProjects(caller: CallerFacts, given: Role | null): Role | null {
  const role = roleThatCounts({ ...caller, key_project: null }, given);
  return role === null || caller.key_project === null ? role : atMost(role, 'viewer');
}

/** Not visible is as not there; 403 is only for who sees it. */
export function statusOnObject(role: Role | null, needs: Role, ok: number): number {
  if (role === null) return 404;
  return ROLES.indexOf(role) < ROLES.indexOf(needs) ? 403 : ok;
}

export function statusInOrganization(row: OrganizationRow, caller: CallerFacts, ok: number): number {
  if (caller.key_project !== null) return 403;
  if (caller.key_role !== null && caller.key_role !== 'owner' && !row.limited_keys) return 403;
  return row.allowed.includes(caller.role) ? ok : 403;
}

/** Everyone sees scorers. Who made one, managers and administrators change it, with a key that is not limited. */
export function statusOnScorer(row: ScorerRow, caller: CallerFacts, made: 'by_caller' | 'by_another' | null, ok: number): number {
  if (made === null) return 404;
  if (row.needs === 'nothing') return ok;
  if (caller.key_project !== null || caller.key_role !== null || caller.role === 'read_only') return 403;
  return made === 'by_caller' || isManager(caller) ? ok : 403;
}

/** Groups lie outside projects: a key made for one reaches none of them, and does not learn which there are. */
export function statusOnGroup(
  { needs }: GroupRow,
  caller: CallerFacts,
  group: { readonly visibility: Visibility; readonly standing: Standing } | null,
  ok: number,
): number {
  if (caller.key_project !== null) return 403;
  if (group === null) return 404;
  const isIn = group.standing === 'member' || group.standing === 'maintainer';
  if (group.visibility === 'hidden' && !isIn && !isManager(caller)) return 404;
  if (needs === 'sight') return ok;
  if (needs === 'membership') return isIn || group.visibility === 'public' || isManager(caller) ? ok : 403;
  if (caller.key_role !== null) return 403;
  if (needs === 'leaving') return group.standing === 'outsider' ? 404 : ok;
  if (needs === 'joining') {
    const mayAsk = group.visibility === 'public' || group.visibility === 'protected';
    return mayAsk || group.standing !== 'outsider' ? ok : 403;
  }
  const maintains = group.standing === 'maintainer' || isManager(caller);
  return maintains && caller.role !== 'read_only' ? ok : 403;
}

/** All users see each other. A limited key looks after no account, not even its own user's; nobody deletes their own. */
export function statusOnUser(
  { needs }: UserRow,
  caller: CallerFacts,
  user: { readonly is_oneself: boolean; readonly role: OrganizationRole } | null,
  ok: number,
): number {
  const isLimited = caller.key_role !== null;
  if (caller.key_project !== null || (isLimited && needs === 'keys')) return 403;
  if (user === null) return 404;
  if (needs === 'sight') return ok;
  if (isLimited) return 403;
  if (user.is_oneself) return needs === 'deletion' ? 403 : ok;
  if (caller.role === 'admin') return ok;
  const isManaged = user.role === 'user' || user.role === 'read_only';
  return needs === 'change' && caller.role === 'manager' && isManaged ? ok : 403;
}

/** The keys of others are there for administrators alone; a limited key sees none. */
export function statusOnApiKey(caller: CallerFacts, made: 'by_caller' | 'by_another' | null, ok: number): number {
  if (caller.key_project !== null || caller.key_role !== null) return 403;
  return made === 'by_caller' || (made === 'by_another' && caller.role === 'admin') ? ok : 404;
}
