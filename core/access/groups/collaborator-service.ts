import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import type { CollaboratorRole, ObjectRef } from '../role.ts';
import { normalEmail, type User } from '../users/user.ts';
import type {
  CollaboratorUpdate,
  GroupCollaboration,
  GroupCollaborator,
  NewGroupCollaborator,
  NewUserCollaborator,
  UserCollaboration,
  UserCollaborator,
} from './collaborator.ts';
import type { CollaboratorStore } from './collaborator-store.ts';
import type { GroupStore } from './group-store.ts';

export interface CollaboratorDeps {
  readonly collaboratorStore: CollaboratorStore;
  readonly accessStore: AccessStore;
  readonly groupStore: GroupStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Whom an object is shared with: the same eight operations for objects of every kind. Who sees an object sees that; owners change it. */
export class CollaboratorService {
  readonly #deps: CollaboratorDeps;

  constructor(deps: CollaboratorDeps) {
    this.#deps = deps;
  }

  async listUsers(
    caller: Caller,
    object: ObjectRef,
    wanted: PageRequest,
  ): Promise<PageFields & { collaborators: UserCollaborator[] }> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'read');
    const { items, page } = toPage(await this.#deps.collaboratorStore.listUsers(object, sliceFor(wanted)), wanted);
    return { ...page, collaborators: await this.#shownUsers(items) };
  }

  async listGroups(
    caller: Caller,
    object: ObjectRef,
    wanted: PageRequest,
  ): Promise<PageFields & { collaborators: GroupCollaborator[] }> {
    const role = await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'read');
    const { items, page } = toPage(await this.#deps.collaboratorStore.listGroups(object, sliceFor(wanted)), wanted);
    const shown = await this.#shownGroups(items);
    return { ...page, collaborators: role === 'owner' ? shown : await this.#withoutHiddenNames(caller, shown) };
  }

  /** Whoever is a collaborator already gets the new role. Rejects with `invalid` when a user is unknown; then nobody is added. */
  async addUsers(caller: Caller, object: ObjectRef, wanted: readonly NewUserCollaborator[]): Promise<UserCollaborator[]> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'share');
    const users = await this.#getUsers(wanted);
    const rows = wanted.map(({ role }, index) => ({ ...this.#newRow(role), user_id: users[index]!.id }));
    return this.#changing(async () => {
      const owners = await this.#heldOwners(object);
      refuseRepeated(rows.map(({ user_id }) => user_id));
      const named = new Set(rows.map(({ user_id }) => user_id));
      const staying = owners.filter((owner) => !named.has(owner));
      refuseOwnerless([...staying, ...rows.filter(({ role }) => role === 'owner')]);
      const put = await this.#deps.collaboratorStore.putUsers(object, rows);
      // Whoever was deleted while this waited is unknown by now; from here on nobody put can be.
      await this.#getUsers(wanted);
      const shown = await this.#shownUsers(put);
      for (const { user_id, role } of put) await this.#note(caller, object, 'add', { user_id, role });
      return shown;
    });
  }

  /** As `addUsers`. Groups that the caller does not see are unknown. */
  async addGroups(caller: Caller, object: ObjectRef, wanted: readonly NewGroupCollaborator[]): Promise<GroupCollaborator[]> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'share');
    await this.#refuseUnknownGroups(caller, wanted);
    const rows = wanted.map(({ role, group_id }) => ({ ...this.#newRow(role), group_id }));
    return this.#changing(async () => {
      await this.#heldOwners(object);
      refuseRepeated(rows.map(({ group_id }) => group_id));
      const put = await this.#deps.collaboratorStore.putGroups(object, rows);
      await this.#refuseUnknownGroups(caller, wanted);
      const shown = await this.#shownGroups(put);
      for (const { group_id, role } of put) await this.#note(caller, object, 'add', { group_id, role });
      return shown;
    });
  }

  async updateUser(caller: Caller, object: ObjectRef, user_id: string, { role }: CollaboratorUpdate): Promise<UserCollaborator> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'share');
    return this.#changing(async () => {
      const owners = await this.#heldOwners(object);
      const before = await this.#deps.collaboratorStore.findUser(object, user_id);
      if (!before) throw collaboratorNotFound('user', user_id);
      if (!role || role === before.role) return this.#shownUser(before);
      if (role !== 'owner') refuseOwnerless(owners.filter((owner) => owner !== user_id));
      const [after] = await this.#deps.collaboratorStore.putUsers(object, [{ ...before, role }]);
      await this.#note(caller, object, 'update', { user_id, role, role_before: before.role });
      return this.#shownUser(after!);
    });
  }

  async updateGroup(
    caller: Caller,
    object: ObjectRef,
    group_id: string,
    { role }: CollaboratorUpdate,
  ): Promise<GroupCollaborator> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'share');
    return this.#changing(async () => {
      await this.#heldOwners(object);
      const before = await this.#deps.collaboratorStore.findGroup(object, group_id);
      if (!before) throw collaboratorNotFound('group', group_id);
      if (!role || role === before.role) return this.#shownGroup(before);
      const [after] = await this.#deps.collaboratorStore.putGroups(object, [{ ...before, role }]);
      await this.#note(caller, object, 'update', { group_id, role, role_before: before.role });
      return this.#shownGroup(after!);
    });
  }

  /** Owners remove everyone, others themselves. */
  async removeUser(caller: Caller, object: ObjectRef, user_id: string): Promise<{ message: string }> {
    const isLeaving = user_id === caller.user_id && caller.project_id === null && caller.max_role === null;
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, isLeaving ? 'read' : 'share');
    return this.#changing(async () => {
      const owners = await this.#heldOwners(object);
      refuseOwnerless(owners.filter((owner) => owner !== user_id));
      if (!(await this.#deps.collaboratorStore.removeUser(object, user_id))) throw collaboratorNotFound('user', user_id);
      await this.#note(caller, object, 'remove', { user_id });
      return { message: `user ${user_id} is no collaborator of ${object.kind} ${object.id} any more` };
    });
  }

  async removeGroup(caller: Caller, object: ObjectRef, group_id: string): Promise<{ message: string }> {
    await this.#deps.authorizer.authorize(caller, object.kind, object.id, 'share');
    return this.#changing(async () => {
      await this.#heldOwners(object);
      if (!(await this.#deps.collaboratorStore.removeGroup(object, group_id))) throw collaboratorNotFound('group', group_id);
      await this.#note(caller, object, 'remove', { group_id });
      return { message: `group ${group_id} is no collaborator of ${object.kind} ${object.id} any more` };
    });
  }

  async #changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await this.#deps.transactions.run(change);
    } finally {
      this.#deps.authorizer.forget();
    }
  }

  /** None means that the object was deleted since the caller was found to own it. */
  async #heldOwners(object: ObjectRef): Promise<string[]> {
    const owners = await this.#deps.collaboratorStore.holdOwners(object);
    if (owners.length > 0) return owners;
    throw new AppError('not_found', `${object.kind}_not_found`, `${object.kind} ${object.id} does not exist`);
  }

  async #getUsers(wanted: readonly NewUserCollaborator[]): Promise<User[]> {
    const { accessStore } = this.#deps;
    const found = await Promise.all(
      wanted.map(({ user_id, user_email }) =>
        user_id ? accessStore.findUser(user_id) : accessStore.findUserByEmail(normalEmail(user_email ?? '')),
      ),
    );
    const issues = found.flatMap((user, index) => {
      const { user_id, user_email } = wanted[index]!;
      return user ? [] : [unknown('user', index, user_id ? 'user_id' : 'user_email', user_id ?? user_email ?? '')];
    });
    if (issues.length > 0) throw new AppError('invalid', 'user_unknown', 'a user does not exist', { issues });
    return found.filter((user) => user !== undefined);
  }

  async #refuseUnknownGroups(caller: Caller, wanted: readonly NewGroupCollaborator[]): Promise<void> {
    const viewer = { user_id: caller.user_id, sees_all: caller.role === 'admin' || caller.role === 'manager' };
    const found = await Promise.all(wanted.map(({ group_id }) => this.#deps.groupStore.find(group_id, viewer)));
    const issues = found.flatMap((group, index) => (group ? [] : [unknown('group', index, 'group_id', wanted[index]!.group_id)]));
    if (issues.length > 0) throw new AppError('invalid', 'group_unknown', 'a group does not exist', { issues });
  }

  #newRow(role: CollaboratorRole) {
    return { id: this.#deps.newId(), role, created_at: this.#deps.clock().toISOString() };
  }

  #note(caller: Caller, { kind, id }: ObjectRef, verb: string, details: AuditEvent['details']): Promise<void> {
    return this.#deps.auditTrail.note(caller, { action: `collaborator.${verb}`, object_kind: kind, object_id: id, details });
  }

  /** That a hidden group has a role on the object is no secret to who sees the object; its name is, but for owners. */
  async #withoutHiddenNames(caller: Caller, groups: readonly GroupCollaborator[]): Promise<GroupCollaborator[]> {
    const own = new Set(await this.#deps.groupStore.toGroups(caller.user_id));
    const stored = await this.#deps.groupStore.findMany(groups.map(({ group_id }) => group_id));
    const hidden = new Set(stored.filter(({ id, visibility }) => visibility === 'hidden' && !own.has(id)).map(({ id }) => id));
    return groups.map((group) => (hidden.has(group.group_id) ? { ...group, group_name: '' } : group));
  }

  async #shownUser(row: UserCollaboration): Promise<UserCollaborator> {
    const [shown] = await this.#shownUsers([row]);
    return shown!;
  }

  async #shownGroup(row: GroupCollaboration): Promise<GroupCollaborator> {
    const [shown] = await this.#shownGroups([row]);
    return shown!;
  }

  async #shownUsers(rows: readonly UserCollaboration[]): Promise<UserCollaborator[]> {
    const users = new Map(
      (await this.#deps.accessStore.listUsers(rows.map(({ user_id }) => user_id))).map((user) => [user.id, user]),
    );
    return rows.map(({ id, user_id, role, created_at }) => {
      const { first_name = null, last_name = null, email = '' } = users.get(user_id) ?? {};
      return { id, role, created_at, user_id, first_name, last_name, email, permissions: [] };
    });
  }

  async #shownGroups(rows: readonly GroupCollaboration[]): Promise<GroupCollaborator[]> {
    const groups = new Map(
      (await this.#deps.groupStore.findMany(rows.map(({ group_id }) => group_id))).map((group) => [group.id, group]),
    );
    return rows.map(({ id, group_id, role, created_at }) => {
      const group_name = groups.get(group_id)?.name ?? '';
      return { id, role, created_at, group_id, group_name, permissions: [] };
    });
  }
}

function refuseOwnerless(owners: readonly unknown[]): void {
  if (owners.length > 0) return;
  throw new AppError('invalid', 'last_owner', 'the last owner cannot be taken away', {
    issues: [{ loc: ['body', 'role'], msg: 'the last owner cannot be taken away', type: 'last_owner' }],
  });
}

function refuseRepeated(ids: readonly string[]): void {
  const seen = new Set<string>();
  const index = ids.findIndex((id) => seen.size === seen.add(id).size);
  if (index < 0) return;
  const issues: Issue[] = [{ loc: ['body', index], msg: 'is named twice', type: 'collaborator_repeated', input: ids[index] }];
  throw new AppError('invalid', 'collaborator_repeated', 'a collaborator is named twice', { issues });
}

const unknown = (what: 'user' | 'group', index: number, field: string, input: string): Issue => ({
  loc: ['body', index, field],
  msg: `no such ${what}`,
  type: `${what}_unknown`,
  input,
});

const collaboratorNotFound = (what: 'user' | 'group', id: string): AppError =>
  new AppError('not_found', 'collaborator_not_found', `${what} ${id} is no collaborator`);
