import { sql } from 'kysely';
import type {
  CountedGroup,
  GroupFilter,
  GroupRole,
  GroupSort,
  StoredGroup,
  StoredMember,
} from '../../../core/access/groups/group.ts';
import type { GroupChanges, GroupStore, GroupViewer } from '../../../core/access/groups/group-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { inOrder, inSlice, toSqlCondition } from '../traces/filter-sql.ts';
import { GroupMemberTable, GroupTable } from './group-tables.ts';

const FILTERS = { name: sql`g.name`, visibility: sql`g.visibility` };
const SORTS = { name: sql`g.name collate "C"`, created_at: sql`g.created_at`, size: sql`size` };

const SIZE = sql<number>`(select count(*)::int from group_members m where m.group_id = g.id and m.role <> 'pending')`;

const PUT_MEMBERS = `
insert into group_members (id, group_id, user_id, role, created_at)
select id, group_id, user_id, role, created_at
from jsonb_to_recordset($1::jsonb) as member(id uuid, group_id uuid, user_id uuid, role text, created_at timestamptz)
order by group_id, user_id
on conflict (group_id, user_id) do update set role = excluded.role
returning id, group_id, user_id, role, created_at`;

export class PostgresGroupStore implements GroupStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  count(): Promise<number> {
    return this.#session.em.count(GroupTable);
  }

  async insert(group: StoredGroup): Promise<void> {
    await refusingDuplicateGroup(() => this.#session.em.insert(GroupTable, group));
  }

  async find(id: string, viewer: GroupViewer): Promise<CountedGroup | undefined> {
    const row = await this.#seenBy(viewer).where('g.id', '=', id).executeTakeFirst();
    return row && toGroup(row);
  }

  async findMany(ids: readonly string[]): Promise<StoredGroup[]> {
    const rows = await this.#session.em.find(GroupTable, { id: { $in: [...ids] } }, FRESH);
    return rows.map((row) => plain<StoredGroup>(row));
  }

  async list(viewer: GroupViewer, filters: readonly GroupFilter[], sort: GroupSort, slice: Slice): Promise<CountedGroup[]> {
    const wanted = this.#seenBy(viewer).where(toSqlCondition(filters, FILTERS));
    const rows = await wanted
      .$call(inOrder(sort, SORTS, 'g.id'))
      .$call(inSlice(slice))
      .execute();
    return rows.map(toGroup);
  }

  async update(id: string, changes: GroupChanges): Promise<boolean> {
    return (await refusingDuplicateGroup(() => this.#session.em.nativeUpdate(GroupTable, { id }, changes))) > 0;
  }

  remove(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(GroupTable, { id });
      await this.#session.em.nativeDelete(GroupMemberTable, { group_id: id });
      return found > 0;
    });
  }

  /** In order of ids: whoever holds the maintainers of each in turn locks in a fixed order. */
  async toGroups(user_id: string): Promise<string[]> {
    const rows = await this.#session.sql<{ group_id: string }>(
      `select group_id from group_members where user_id = $1 and role <> 'pending' order by group_id`,
      [user_id],
    );
    return rows.map(({ group_id }) => group_id);
  }

  putMembers(members: readonly StoredMember[]): Promise<StoredMember[]> {
    return this.#session.run(async () => {
      await this.#lock(members.map(({ group_id }) => group_id));
      const last = new Map(members.map((member) => [getKey(member), member]));
      const rows = await this.#session.sql<StoredMember>(PUT_MEMBERS, [JSON.stringify([...last.values()])]);
      const byKey = new Map(rows.map((row) => [getKey(row), getMember(row)]));
      return members.map((member) => ({ ...byKey.get(getKey(member))! }));
    });
  }

  async findMember(group_id: string, user_id: string): Promise<StoredMember | undefined> {
    const row = await this.#session.em.findOne(GroupMemberTable, { group_id, user_id }, FRESH);
    return row ? plain<StoredMember>(row) : undefined;
  }

  async listMembers(group_id: string, slice: Slice): Promise<StoredMember[]> {
    const orderBy = { created_at: 'asc', id: 'asc' } as const;
    const rows = await this.#session.em.find(GroupMemberTable, { group_id }, { ...FRESH, ...slice, orderBy });
    return rows.map((row) => plain<StoredMember>(row));
  }

  updateMember(group_id: string, user_id: string, role: GroupRole): Promise<StoredMember | undefined> {
    return this.#session.run(async () => {
      await this.#lock([group_id]);
      await this.#session.em.nativeUpdate(GroupMemberTable, { group_id, user_id }, { role });
      return this.findMember(group_id, user_id);
    });
  }

  removeMember(group_id: string, user_id: string): Promise<boolean> {
    return this.#session.run(async () => {
      await this.#lock([group_id]);
      return (await this.#session.em.nativeDelete(GroupMemberTable, { group_id, user_id })) > 0;
    });
  }

  removeMembers(group_id: string, user_ids: readonly string[]): Promise<void> {
    return this.#session.run(async () => {
      await this.#lock([group_id]);
      await this.#session.em.nativeDelete(GroupMemberTable, { group_id, user_id: { $in: [...user_ids] } });
    });
  }

  removeUserEverywhere(user_id: string): Promise<void> {
    return this.#session.run(async () => {
      const rows = await this.#session.sql<{ group_id: string }>('select group_id from group_members where user_id = $1', [
        user_id,
      ]);
      await this.#lock(rows.map(({ group_id }) => group_id));
      await this.#session.em.nativeDelete(GroupMemberTable, { user_id });
    });
  }

  holdMaintainers(group_id: string): Promise<string[]> {
    return this.#session.run(async () => {
      await this.#lock([group_id]);
      const rows = await this.#session.sql<{ user_id: string }>(
        `select user_id from group_members where group_id = $1 and role = 'maintainer' order by user_id`,
        [group_id],
      );
      return rows.map(({ user_id }) => user_id);
    });
  }

  #seenBy({ user_id, sees_all }: GroupViewer) {
    return this.#session.db
      .selectFrom('groups as g')
      .leftJoin('group_members as own', (join) => join.onRef('own.group_id', '=', 'g.id').on('own.user_id', '=', user_id))
      .select(['g.id', 'g.name', 'g.description', 'g.visibility', 'g.created_by', 'g.created_at', 'g.updated_at', 'own.role'])
      .select(SIZE.as('size'))
      .where(sql<boolean>`(${sees_all}::boolean or g.visibility <> 'hidden' or coalesce(own.role <> 'pending', false))`)
      .$castTo<CountedGroup>();
  }

  /** Who changes the members of a group locks the group; what is read after that is what the last one left. */
  async #lock(group_ids: readonly string[]): Promise<void> {
    await this.#session.sql('select from groups where id = any($1::uuid[]) order by id for update', [group_ids]);
  }
}

const getKey = ({ group_id, user_id }: StoredMember): string => `${group_id} ${user_id}`;

const getMember = (row: StoredMember): StoredMember => ({ ...row, created_at: toUtc(row.created_at)! });

const toGroup = (row: CountedGroup): CountedGroup => ({
  ...row,
  created_at: toUtc(row.created_at)!,
  updated_at: toUtc(row.updated_at)!,
});

const refusingDuplicateGroup = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicates('group_exists', 'a group with this name exists', write);
