import type { GroupCollaboration, UserCollaboration } from '../../../core/access/groups/collaborator.ts';
import type { CollaboratorStore, Subject } from '../../../core/access/groups/collaborator-store.ts';
import { type CollaboratorRole, highest, type ObjectKind, type ObjectRef } from '../../../core/access/role.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell } from '../table.ts';
import { sliced } from '../traces/sliced.ts';
import { oldestFirst } from '../traces/time-order.ts';

type OnObject<T> = T & { readonly object: ObjectRef };

export class MemoryCollaboratorStore implements CollaboratorStore {
  readonly #users: Cell<readonly OnObject<UserCollaboration>[]>;
  readonly #groups: Cell<readonly OnObject<GroupCollaboration>[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#users = database.cell([]);
    this.#groups = database.cell([]);
  }

  async rolesOn(object: ObjectRef, subject: Subject): Promise<CollaboratorRole[]> {
    return this.#reachedBy(subject)
      .filter(isOn(object))
      .map(({ role }) => role);
  }

  async isShared(object: ObjectRef): Promise<boolean> {
    return [...this.#users.value, ...this.#groups.value].some(isOn(object));
  }

  async rolesByObject(kind: ObjectKind, subject: Subject): Promise<Map<string, CollaboratorRole>> {
    const reached = this.#reachedBy(subject).filter(({ object }) => object.kind === kind);
    const byId = Map.groupBy(reached, ({ object }) => object.id);
    return new Map([...byId].map(([id, rows]) => [id, highest(rows.map(({ role }) => role))!]));
  }

  async putUsers(object: ObjectRef, users: readonly UserCollaboration[]): Promise<UserCollaboration[]> {
    for (const user of users) {
      const known = this.#users.value.find((one) => isOn(object)(one) && one.user_id === user.user_id);
      const row = known ? { ...known, role: user.role } : { ...user, object: { ...object } };
      this.#users.value = [...this.#users.value.filter((one) => one !== known), row];
    }
    const stored = this.#users.value.filter(isOn(object));
    return users.map(({ user_id }) => bare(stored.find((one) => one.user_id === user_id)!));
  }

  async putGroups(object: ObjectRef, groups: readonly GroupCollaboration[]): Promise<GroupCollaboration[]> {
    for (const group of groups) {
      const known = this.#groups.value.find((one) => isOn(object)(one) && one.group_id === group.group_id);
      const row = known ? { ...known, role: group.role } : { ...group, object: { ...object } };
      this.#groups.value = [...this.#groups.value.filter((one) => one !== known), row];
    }
    const stored = this.#groups.value.filter(isOn(object));
    return groups.map(({ group_id }) => bare(stored.find((one) => one.group_id === group_id)!));
  }

  async findUser(object: ObjectRef, user_id: string): Promise<UserCollaboration | undefined> {
    const row = this.#users.value.find((one) => isOn(object)(one) && one.user_id === user_id);
    return row && bare(row);
  }

  async findGroup(object: ObjectRef, group_id: string): Promise<GroupCollaboration | undefined> {
    const row = this.#groups.value.find((one) => isOn(object)(one) && one.group_id === group_id);
    return row && bare(row);
  }

  async listUsers(object: ObjectRef, slice: Slice): Promise<UserCollaboration[]> {
    return sliced(oldestFirst(this.#users.value.filter(isOn(object))), slice).map(bare);
  }

  async listGroups(object: ObjectRef, slice: Slice): Promise<GroupCollaboration[]> {
    return sliced(oldestFirst(this.#groups.value.filter(isOn(object))), slice).map(bare);
  }

  async removeUser(object: ObjectRef, user_id: string): Promise<boolean> {
    const before = this.#users.value.length;
    this.#users.value = this.#users.value.filter((one) => !(isOn(object)(one) && one.user_id === user_id));
    return this.#users.value.length < before;
  }

  async removeGroup(object: ObjectRef, group_id: string): Promise<boolean> {
    const before = this.#groups.value.length;
    this.#groups.value = this.#groups.value.filter((one) => !(isOn(object)(one) && one.group_id === group_id));
    return this.#groups.value.length < before;
  }

  async holdOwners(object: ObjectRef): Promise<string[]> {
    return this.#users.value.filter((one) => isOn(object)(one) && one.role === 'owner').map(({ user_id }) => user_id);
  }

  async holdOwnedAlone(user_id: string): Promise<ObjectRef[]> {
    const owners = this.#users.value.filter(({ role }) => role === 'owner');
    const own = owners.filter((one) => one.user_id === user_id).map(({ object }) => object);
    return own.filter((object) => owners.filter(isOn(object)).length === 1).map((object) => ({ ...object }));
  }

  async removeUserEverywhere(user_id: string): Promise<void> {
    this.#users.value = this.#users.value.filter((one) => one.user_id !== user_id);
  }

  async removeGroupEverywhere(group_id: string): Promise<void> {
    this.#groups.value = this.#groups.value.filter((one) => one.group_id !== group_id);
  }

  async removeObject(object: ObjectRef): Promise<void> {
    this.#users.value = this.#users.value.filter((one) => !isOn(object)(one));
    this.#groups.value = this.#groups.value.filter((one) => !isOn(object)(one));
  }

  #reachedBy({ user_id, group_ids }: Subject) {
    return [
      ...this.#users.value.filter((one) => one.user_id === user_id),
      ...this.#groups.value.filter((one) => group_ids.includes(one.group_id)),
    ];
  }
}

const isOn =
  ({ kind, id }: ObjectRef) =>
  ({ object }: { readonly object: ObjectRef }): boolean =>
    object.kind === kind && object.id === id;

function bare<T extends object>({ object: _object, ...row }: OnObject<T>): T {
  return row as unknown as T;
}
