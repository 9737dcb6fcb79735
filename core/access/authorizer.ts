import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import type { IdFilter } from '../kernel/query/filter.ts';
import { SingleFlightCache } from '../kernel/single-flight-cache.ts';
import type { Caller } from './caller.ts';
import type { CollaboratorStore } from './groups/collaborator-store.ts';
import type { GroupStore } from './groups/group-store.ts';
import {
  type CollaboratorRole,
  highest,
  lower,
  mayInOrganization,
  type ObjectAction,
  type ObjectKind,
  type OrganizationAction,
  whyNot,
} from './role.ts';

/** How long a role is believed without asking the stores again, when it was changed by another instance. */
const RECENT_MS = 1_000;

/** The part of a list that a caller sees, as filters to add to those of the request, and the roles on what is in it. */
export interface Visible {
  readonly filters: readonly IdFilter<'id'>[];
  roleOn(id: string): CollaboratorRole;
}

/** Makes the error for an object that exists but is not shared with the caller: the same as for one that does not exist. */
const notFound = (kind: ObjectKind, id: string): AppError =>
  new AppError('not_found', `${kind}_not_found`, `${kind} ${id} does not exist`);

/**
 * The one place that decides who may do what. Nothing is allowed unless a role on the object, own or by a group, or
 * the administrator's role in the organisation allows it. What a caller cannot see does not exist for them.
 */
export class Authorizer {
  readonly #collaborators: CollaboratorStore;
  readonly #groups: GroupStore;
  readonly #roles: SingleFlightCache<{ readonly role: CollaboratorRole }>;

  constructor(deps: { collaboratorStore: CollaboratorStore; groupStore: GroupStore; clock: Clock }) {
    this.#collaborators = deps.collaboratorStore;
    this.#groups = deps.groupStore;
    this.#roles = new SingleFlightCache(deps.clock);
  }

  /**
   * Rejects with `not_found` when the caller does not see the object, with `forbidden` when they see it and may not do
   * this. `read` is allowed to all who see it. Returns the caller's role.
   */
  async authorize<K extends ObjectKind>(
    caller: Caller,
    kind: K,
    id: string,
    action: ObjectAction<K> | 'read',
  ): Promise<CollaboratorRole> {
    const role = await this.roleOn(caller, kind, id);
    if (role === undefined) throw notFound(kind, id);
    const refusal = action === 'read' ? null : whyNot(kind, String(action), role);
    if (refusal !== null) throw new AppError('forbidden', 'role_too_low', refusal);
    return role;
  }

  /** Undefined when the caller does not see the object, or there is none. */
  async roleOn(caller: Caller, kind: ObjectKind, id: string): Promise<CollaboratorRole | undefined> {
    if (!isInScope(caller, kind, id)) return undefined;
    const key = `${caller.user_id} ${caller.role} ${kind} ${id}`;
    const find = () => this.#find(caller, kind, id);
    const found = this.#roles.recent(key) ?? (await (this.#roles.underWay(key) ?? this.#roles.lookUp(key, RECENT_MS, find)));
    return found && capped(caller, kind, found.role);
  }

  /** Which objects of a kind the caller sees, for lists and counts. */
  async visible(caller: Caller, kind: ObjectKind): Promise<Visible> {
    if (kind === 'project' && caller.project_id !== null) {
      const role = await this.roleOn(caller, kind, caller.project_id);
      return toVisible(new Map(role === undefined ? [] : [[caller.project_id, role]]));
    }
    if (caller.role === 'admin') return { filters: [], roleOn: () => capped(caller, kind, 'owner') };
    const roles = await this.#collaborators.rolesByObject(kind, await this.#subject(caller));
    return toVisible(new Map([...roles].map(([id, role]) => [id, capped(caller, kind, role)])));
  }

  /** Rejects with `forbidden` unless the caller's role in the organisation allows this. Keys made for one project never may. */
  authorizeInOrganization(caller: Caller, action: OrganizationAction): void {
    const message = this.whyNotInOrganization(caller, action);
    if (message !== null) throw new AppError('forbidden', 'role_too_low', message);
  }

  whyNotInOrganization(caller: Caller, action: OrganizationAction): string | null {
    if (caller.project_id !== null) return 'this API key is made for one project';
    if (caller.max_role !== null && caller.max_role !== 'owner' && action !== 'read_users')
      return `this API key may do no more than role ${caller.max_role}`;
    return mayInOrganization(caller.role, action) ? null : `${action} is not for users of role ${caller.role}`;
  }

  /** Everyone sees scorers; who made one, and managers, may change it. */
  authorizeOnOwn(caller: Caller, created_by: string | null, what: string): void {
    this.authorizeInOrganization(caller, 'create_object');
    const isManager = caller.role === 'admin' || caller.role === 'manager';
    if (!isManager && created_by !== caller.user_id)
      throw new AppError('forbidden', 'role_too_low', `only who created the ${what}, managers and administrators may change it`);
  }

  /** To be called after every change of roles or memberships, so that it takes effect at once in this process. */
  forget(): void {
    this.#roles.forget();
  }

  async #find(caller: Caller, kind: ObjectKind, id: string): Promise<{ role: CollaboratorRole } | undefined> {
    const role = await this.#findRole(caller, { kind, id });
    return role && { role };
  }

  async #findRole(caller: Caller, object: { kind: ObjectKind; id: string }): Promise<CollaboratorRole | undefined> {
    if (caller.role === 'admin') return (await this.#collaborators.isShared(object)) ? 'owner' : undefined;
    return highest(await this.#collaborators.rolesOn(object, await this.#subject(caller)));
  }

  async #subject({ user_id }: Caller): Promise<{ user_id: string; group_ids: string[] }> {
    return { user_id, group_ids: await this.#groups.toGroups(user_id) };
  }
}

/** A key made for one project sees no other; what lies outside projects it sees as its owner does. */
const isInScope = ({ project_id }: Caller, kind: ObjectKind, id: string): boolean =>
  project_id === null || kind !== 'project' || project_id === id;

/** Roles never exceed what the user's role in the organisation and the key allow. A key made for one project never owns it. */
function capped(caller: Caller, kind: ObjectKind, role: CollaboratorRole): CollaboratorRole {
  const byUser = caller.role === 'read_only' ? lower(role, 'viewer') : role;
  const byKey = caller.max_role === null ? byUser : lower(byUser, caller.max_role);
  if (caller.project_id === null) return byKey;
  return lower(byKey, kind === 'project' ? 'editor' : 'viewer');
}

const toVisible = (roles: ReadonlyMap<string, CollaboratorRole>): Visible => ({
  filters: [{ family: 'id', name: 'id', operator: 'one_of', values: [...roles.keys()] }],
  // An object that appeared since the roles were read is shown with the least rights.
  roleOn: (id) => roles.get(id) ?? 'viewer',
});
