import type {
  CountedGroup,
  GroupFilter,
  GroupRole,
  GroupSort,
  StoredGroup,
  StoredMember,
} from '../../../core/access/groups/group.ts';
import type { GroupChanges, GroupStore, GroupViewer } from '../../../core/access/groups/group-store.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { sorted } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';
import { oldestFirst } from '../traces/time-order.ts';

export class MemoryGroupStore implements GroupStore {
  readonly #database: MemoryDatabase;
  readonly #groups: Table<string, StoredGroup>;
  readonly #members: Cell<readonly StoredMember[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#database = database;
    this.#groups = database.table();
    this.#members = database.cell([]);
  }

  async count(): Promise<number> {
    return this.#groups.size;
  }

  async insert(group: StoredGroup): Promise<void> {
    if (this.#groups.has(group.id)) throw groupExists();
    this.#refuseTakenName(group);
    this.#groups.set(group.id, { ...group });
  }

  async find(id: string, viewer: GroupViewer): Promise<CountedGroup | undefined> {
    const group = this.#groups.get(id);
    return group && this.#isVisible(group, viewer) ? this.#counted(group, viewer) : undefined;
  }

  async findMany(ids: readonly string[]): Promise<StoredGroup[]> {
    return structuredClone([...this.#groups.values()].filter(({ id }) => ids.includes(id)));
  }

  async list(viewer: GroupViewer, filters: readonly GroupFilter[], sort: GroupSort, slice: Slice): Promise<CountedGroup[]> {
    const seen = [...this.#groups.values()]
      .filter((group) => this.#isVisible(group, viewer))
      .filter((group) => matchesAll(filters, (name) => group[name]))
      .map((group) => this.#counted(group, viewer));
    const read = (group: CountedGroup) => (sort.name === 'created_at' ? sortableTime(group.created_at) : group[sort.name]);
    return sliced(sorted(seen, sort.ascending, read), slice);
  }

  async update(id: string, changes: GroupChanges): Promise<boolean> {
    const before = this.#groups.get(id);
    if (!before) return false;
    const after = { ...before, ...changes };
    this.#refuseTakenName(after);
    this.#groups.set(id, after);
    return true;
  }

  async remove(id: string): Promise<boolean> {
    this.#members.value = this.#members.value.filter(({ group_id }) => group_id !== id);
    return this.#groups.delete(id);
  }

  async toGroups(user_id: string): Promise<string[]> {
    return this.#members.value.filter((one) => one.user_id === user_id && one.role !== 'pending').map(({ group_id }) => group_id);
  }

  async putMembers(members: readonly StoredMember[]): Promise<StoredMember[]> {
    for (const member of members) {
      const known = this.#member(member.group_id, member.user_id);
      const row = known ? { ...known, role: member.role } : { ...member };
      this.#members.value = [...this.#members.value.filter((one) => one !== known), row];
    }
    return members.map(({ group_id, user_id }) => ({ ...this.#member(group_id, user_id)! }));
  }

  async findMember(group_id: string, user_id: string): Promise<StoredMember | undefined> {
    return structuredClone(this.#member(group_id, user_id));
  }

  async listMembers(group_id: string, slice: Slice): Promise<StoredMember[]> {
    return structuredClone(sliced(oldestFirst(this.#getMembers(group_id)), slice));
  }

  async updateMember(group_id: string, user_id: string, role: GroupRole): Promise<StoredMember | undefined> {
    const known = this.#member(group_id, user_id);
    if (!known) return undefined;
    const [row] = await this.putMembers([{ ...known, role }]);
    return row;
  }

  async removeMember(group_id: string, user_id: string): Promise<boolean> {
    const known = this.#member(group_id, user_id);
    this.#members.value = this.#members.value.filter((one) => one !== known);
    return known !== undefined;
  }

  async removeMembers(group_id: string, user_ids: readonly string[]): Promise<void> {
    const leaving = new Set(user_ids);
    this.#members.value = this.#members.value.filter((one) => one.group_id !== group_id || !leaving.has(one.user_id));
  }

  async removeUserEverywhere(user_id: string): Promise<void> {
    this.#members.value = this.#members.value.filter((one) => one.user_id !== user_id);
  }

  async holdMaintainers(group_id: string): Promise<string[]> {
    this.#database.hold();
    return this.#getMembers(group_id)
      .filter(({ role }) => role === 'maintainer')
      .map(({ user_id }) => user_id);
  }

  #counted(group: StoredGroup, { user_id }: GroupViewer): CountedGroup {
    const size = this.#getMembers(group.id).filter(({ role }) => role !== 'pending').length;
    return { ...group, size, role: this.#member(group.id, user_id)?.role ?? null };
  }

  #isVisible(group: StoredGroup, { user_id, sees_all }: GroupViewer): boolean {
    if (sees_all || group.visibility !== 'hidden') return true;
    const role = this.#member(group.id, user_id)?.role;
    return role !== undefined && role !== 'pending';
  }

  #member(group_id: string, user_id: string): StoredMember | undefined {
    return this.#members.value.find((one) => one.group_id === group_id && one.user_id === user_id);
  }

  #getMembers(group_id: string): StoredMember[] {
    return this.#members.value.filter((one) => one.group_id === group_id);
  }

  #refuseTakenName({ id, name }: StoredGroup): void {
    if ([...this.#groups.values()].some((other) => other.id !== id && other.name === name)) throw groupExists();
  }
}

const groupExists = (): AppError => new AppError('conflict', 'group_exists', 'a group with this name exists');
