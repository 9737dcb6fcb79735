import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type GroupRole,
  GroupSearch,
  type StoredGroup,
  type StoredMember,
  type Visibility,
} from '../../../core/access/groups/group.ts';
import type { GroupStore, GroupViewer } from '../../../core/access/groups/group-store.ts';
import type { Opened } from '../opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const ALL = { offset: 0, limit: 100 };
const FIRST = '11111111-2222-4222-8222-222222222222';
const SECOND = '22222222-2222-4222-8222-222222222222';
const ME = '33333333-2222-4222-8222-222222222222';
const me: GroupViewer = { user_id: ME, sees_all: false };
const anAdmin: GroupViewer = { user_id: ME, sees_all: true };

function aGroup(facts: Partial<StoredGroup> = {}): StoredGroup {
  const id = facts.id ?? randomUUID();
  const texts = { name: `group ${id}`, description: '', visibility: 'public' as const };
  return { id, ...texts, created_by: randomUUID(), created_at: EARLY, updated_at: EARLY, ...facts };
}

function aMember(group_id: string, role: GroupRole, facts: Partial<StoredMember> = {}): StoredMember {
  return { id: randomUUID(), group_id, user_id: randomUUID(), role, created_at: EARLY, ...facts };
}

export function groupStoreContract(adapter: string, open: () => Promise<Opened<GroupStore>>): void {
  describe(`GroupStore, ${adapter}`, () => {
    let opened: Opened<GroupStore>;
    let store: GroupStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    groups(() => store);
    visibility(() => store);
    groupLists(() => store);
    members(() => store);
    memberships(() => store);
  });
}

function groups(store: () => GroupStore): void {
  it('finds a group as it was stored', async () => {
    const stored = aGroup({ name: 'päper % _ 🦜', description: 'two\nlines', visibility: 'protected', updated_at: LATE });
    await store().insert(stored);
    expect(await store().find(stored.id, me)).toStrictEqual({ ...stored, size: 0, role: null });
    expect(await store().find(randomUUID(), anAdmin)).toBeUndefined();
  });

  it('refuses a taken id and a taken name', async () => {
    const first = aGroup({ name: 'same' });
    await store().insert(first);
    const taken = { kind: 'conflict', code: 'group_exists' };
    await expect(store().insert(aGroup({ id: first.id }))).rejects.toMatchObject(taken);
    await expect(store().insert(aGroup({ name: 'same', visibility: 'hidden' }))).rejects.toMatchObject(taken);
    await store().insert(aGroup({ name: 'SAME' }));
  });

  it('counts all there are, hidden ones too', async () => {
    expect(await store().count()).toBe(0);
    await store().insert(aGroup());
    await store().insert(aGroup({ visibility: 'hidden' }));
    expect(await store().count()).toBe(2);
  });

  it('finds several by id, hidden ones too, and leaves out unknown ones', async () => {
    const [open, hidden, other] = [aGroup(), aGroup({ visibility: 'hidden' }), aGroup()];
    for (const group of [open, hidden, other]) await store().insert(group);
    const found = await store().findMany([hidden.id, randomUUID(), open.id]);
    expect(new Map(found.map((group) => [group.id, group]))).toEqual(
      new Map([
        [open.id, open],
        [hidden.id, hidden],
      ]),
    );
    expect(await store().findMany([])).toEqual([]);
  });

  it('changes the given fields and no others', async () => {
    const stored = aGroup({ description: 'old' });
    await store().insert(stored);
    const changes = { name: 'new', visibility: 'private', updated_at: LATE } as const;
    expect(await store().update(stored.id, changes)).toBe(true);
    expect(await store().findMany([stored.id])).toStrictEqual([{ ...stored, ...changes }]);
    expect(await store().update(stored.id, { description: 'x', updated_at: EARLY })).toBe(true);
    expect(await store().findMany([stored.id])).toStrictEqual([{ ...stored, ...changes, description: 'x', updated_at: EARLY }]);
    expect(await store().update(randomUUID(), changes)).toBe(false);
  });

  it('refuses to rename to a taken name, and changes nothing then', async () => {
    const [first, second] = [aGroup({ name: 'first' }), aGroup({ name: 'second' })];
    for (const group of [first, second]) await store().insert(group);
    const rename = store().update(second.id, { name: 'first', description: 'x', updated_at: LATE });
    await expect(rename).rejects.toMatchObject({ kind: 'conflict' });
    expect(await store().findMany([second.id])).toStrictEqual([second]);
    expect(await store().update(first.id, { name: 'first', updated_at: LATE })).toBe(true);
  });

  it('removes a group with its members, once, and nothing of others', async () => {
    const [gone, kept] = [aGroup(), aGroup()];
    for (const group of [gone, kept]) await store().insert(group);
    const [member, other] = [aMember(gone.id, 'member'), aMember(kept.id, 'member')];
    await store().putMembers([member, other]);
    expect(await store().remove(gone.id)).toBe(true);
    expect(await store().remove(gone.id)).toBe(false);
    expect(await store().find(gone.id, anAdmin)).toBeUndefined();
    expect(await store().toGroups(member.user_id)).toEqual([]);
    expect(await store().listMembers(gone.id, ALL)).toEqual([]);
    expect(await store().listMembers(kept.id, ALL)).toStrictEqual([other]);
  });

  it('hands out copies and keeps copies', async () => {
    const stored = aGroup();
    const given = { ...stored };
    await store().insert(given);
    Object.assign(given, { name: 'changed' });
    Object.assign((await store().find(stored.id, me))!, { name: 'changed' });
    Object.assign((await store().findMany([stored.id]))[0]!, { name: 'changed' });
    expect(await store().findMany([stored.id])).toStrictEqual([stored]);
  });
}

function visibility(store: () => GroupStore): void {
  it('counts members and maintainers, not who is pending, and tells the role of who asks', async () => {
    const stored = aGroup();
    await store().insert(stored);
    const others = [aMember(stored.id, 'member'), aMember(stored.id, 'maintainer'), aMember(stored.id, 'pending')];
    await store().putMembers([...others, aMember(stored.id, 'pending', { user_id: ME })]);
    expect(await store().find(stored.id, me)).toStrictEqual({ ...stored, size: 2, role: 'pending' });
    const elsewhere = { user_id: randomUUID(), sees_all: false };
    expect(await store().find(stored.id, elsewhere)).toStrictEqual({ ...stored, size: 2, role: null });
    await store().updateMember(stored.id, ME, 'maintainer');
    expect(await store().find(stored.id, me)).toStrictEqual({ ...stored, size: 3, role: 'maintainer' });
  });

  it('shows a hidden group to nobody but its members, maintainers and who sees all', async () => {
    const hidden = aGroup({ visibility: 'hidden' });
    await store().insert(hidden);
    await store().putMembers([aMember(hidden.id, 'maintainer')]);
    const seen = async (viewer: GroupViewer) => {
      const listed = await store().list(viewer, [], { name: 'name', ascending: true }, ALL);
      const found = await store().find(hidden.id, viewer);
      expect(listed).toStrictEqual(found ? [found] : []);
      return found?.role;
    };
    expect(await seen(me)).toBeUndefined();
    expect(await seen(anAdmin)).toBeNull();
    await store().putMembers([aMember(hidden.id, 'pending', { user_id: ME })]);
    expect(await seen(me)).toBeUndefined();
    for (const role of ['member', 'maintainer'] as const) {
      await store().updateMember(hidden.id, ME, role);
      expect(await seen(me)).toBe(role);
    }
  });

  it('lists groups of every other visibility to everyone', async () => {
    for (const visible of ['public', 'private', 'protected'] as const) await store().insert(aGroup({ visibility: visible }));
    expect(await store().list(me, [], { name: 'name', ascending: true }, ALL)).toHaveLength(3);
  });
}

function groupLists(store: () => GroupStore): void {
  const search = async (body: unknown) => {
    const { filters, sort } = GroupSearch.parse(body);
    return (await store().list(me, filters, sort, ALL)).map(({ name }) => name);
  };
  const insert = (name: string, visible: Visibility = 'public') => store().insert(aGroup({ name, visibility: visible }));

  it('orders names by code point, both ways', async () => {
    const ordered = ['A', 'B', '_', 'a', 'b', 'ä', '～', '\u{1f99c}'];
    for (const name of ordered.toReversed()) await insert(name);
    expect(await search({})).toEqual(ordered);
    expect(await search({ sort: { name: 'name', ascending: false } })).toEqual(ordered.toReversed());
  });

  it('orders by moment and by size, ties by ascending id', async () => {
    await store().insert(aGroup({ id: SECOND, name: 'second' }));
    await store().insert(aGroup({ id: FIRST, name: 'first' }));
    const last = aGroup({ name: 'last', created_at: LATE });
    await store().insert(last);
    await store().putMembers([aMember(last.id, 'member'), aMember(FIRST, 'pending')]);
    for (const name of ['created_at', 'size']) {
      expect(await search({ sort: { name } })).toEqual(['first', 'second', 'last']);
      expect(await search({ sort: { name, ascending: false } })).toEqual(['last', 'first', 'second']);
    }
  });

  it('filters by name and visibility, joined by and', async () => {
    await insert('Research 50%');
    await insert('research 500', 'private');
    await insert('sales', 'private');
    const name = (operator: string, value: unknown, case_sensitive?: boolean) => ({
      name: 'name',
      operator,
      value,
      case_sensitive,
    });
    const visible = (operator: string, value: unknown) => ({ name: 'visibility', operator, value });
    expect(await search({ filters: [name('contains', '50%')] })).toEqual(['Research 50%']);
    expect(await search({ filters: [name('contains', 'RESEARCH', false)] })).toEqual(['Research 50%', 'research 500']);
    expect(await search({ filters: [visible('one_of', ['private', 'hidden'])] })).toEqual(['research 500', 'sales']);
    expect(await search({ filters: [visible('eq', 'private'), name('ne', 'sales')] })).toEqual(['research 500']);
  });

  it('cuts slices that neither overlap nor leave gaps', async () => {
    for (let number = 0; number < 5; number += 1) await insert(`group ${number}`);
    const part = (offset: number) => store().list(me, [], { name: 'size', ascending: false }, { offset, limit: 2 });
    const whole = await store().list(me, [], { name: 'size', ascending: false }, ALL);
    expect([...(await part(0)), ...(await part(2)), ...(await part(4))]).toStrictEqual(whole);
    expect(await part(5)).toEqual([]);
  });

  it('leaves out hidden groups before it cuts', async () => {
    for (const name of ['a', 'c']) await insert(name, 'hidden');
    for (const name of ['b', 'd']) await insert(name);
    const sort = { name: 'name', ascending: true } as const;
    expect(await store().list(me, [], sort, { offset: 1, limit: 1 })).toMatchObject([{ name: 'd' }]);
    expect(await store().list(anAdmin, [], sort, { offset: 1, limit: 1 })).toMatchObject([{ name: 'b' }]);
  });
}

function members(store: () => GroupStore): void {
  it('finds a member as it was put there', async () => {
    const group_id = randomUUID();
    const member = aMember(group_id, 'pending', { created_at: LATE });
    expect(await store().putMembers([member])).toStrictEqual([member]);
    expect(await store().findMember(group_id, member.user_id)).toStrictEqual(member);
    expect(await store().findMember(randomUUID(), member.user_id)).toBeUndefined();
    expect(await store().findMember(group_id, randomUUID())).toBeUndefined();
  });

  it('gives who is in the group already, or is named twice, the last role, and keeps id and timestamp', async () => {
    const group_id = randomUUID();
    const [known, added] = [aMember(group_id, 'pending'), aMember(group_id, 'member')];
    await store().putMembers([known]);
    const again = aMember(group_id, 'member', { user_id: known.user_id, created_at: LATE });
    const changed = { ...known, role: 'maintainer' };
    const put = await store().putMembers([again, added, { ...again, role: 'maintainer' }]);
    expect(put).toStrictEqual([changed, added, changed]);
    expect(await store().findMember(group_id, known.user_id)).toStrictEqual(changed);
    expect(await store().listMembers(group_id, ALL)).toHaveLength(2);
    expect(await store().putMembers([])).toEqual([]);
  });

  it('lists members oldest first, ties by id, pending ones too, in slices', async () => {
    const group_id = randomUUID();
    const last = aMember(group_id, 'pending', { created_at: LATE });
    const second = aMember(group_id, 'member', { id: SECOND });
    const first = aMember(group_id, 'maintainer', { id: FIRST });
    await store().putMembers([last, second, first, aMember(randomUUID(), 'member')]);
    expect(await store().listMembers(group_id, ALL)).toStrictEqual([first, second, last]);
    expect(await store().listMembers(group_id, { offset: 1, limit: 1 })).toStrictEqual([second]);
  });

  it('changes the role of one member', async () => {
    const group_id = randomUUID();
    const [member, other] = [aMember(group_id, 'pending'), aMember(group_id, 'pending')];
    await store().putMembers([member, other]);
    const changed = { ...member, role: 'member' };
    expect(await store().updateMember(group_id, member.user_id, 'member')).toStrictEqual(changed);
    expect(await store().findMember(group_id, member.user_id)).toStrictEqual(changed);
    expect(await store().findMember(group_id, other.user_id)).toStrictEqual(other);
    expect(await store().updateMember(group_id, randomUUID(), 'member')).toBeUndefined();
    expect(await store().updateMember(randomUUID(), member.user_id, 'member')).toBeUndefined();
  });

  it('removes a member once, from one group', async () => {
    const [one, two, user_id] = [randomUUID(), randomUUID(), randomUUID()];
    const kept = aMember(two, 'member', { user_id });
    await store().putMembers([aMember(one, 'member', { user_id }), kept]);
    expect(await store().removeMember(one, user_id)).toBe(true);
    expect(await store().removeMember(one, user_id)).toBe(false);
    expect(await store().findMember(two, user_id)).toStrictEqual(kept);
  });

  it('removes several members of one group at once, unknown ones without an error', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const [first, second, third] = [aMember(one, 'member'), aMember(one, 'pending'), aMember(one, 'maintainer')];
    const kept = aMember(two, 'member', { user_id: first.user_id });
    await store().putMembers([first, second, third, kept]);
    await store().removeMembers(one, [first.user_id, second.user_id, randomUUID()]);
    expect(await store().listMembers(one, ALL)).toStrictEqual([third]);
    expect(await store().listMembers(two, ALL)).toStrictEqual([kept]);
    await store().removeMembers(one, []);
    expect(await store().listMembers(one, ALL)).toStrictEqual([third]);
  });

  it('hands out copies of members and keeps copies', async () => {
    const member = aMember(randomUUID(), 'member');
    const given = { ...member };
    const [put] = await store().putMembers([given]);
    for (const copy of [given, put!]) Object.assign(copy, { role: 'pending' });
    Object.assign((await store().findMember(member.group_id, member.user_id))!, { role: 'pending' });
    Object.assign((await store().listMembers(member.group_id, ALL))[0]!, { role: 'pending' });
    Object.assign((await store().updateMember(member.group_id, member.user_id, 'member'))!, { role: 'pending' });
    expect(await store().findMember(member.group_id, member.user_id)).toStrictEqual(member);
  });
}

function memberships(store: () => GroupStore): void {
  it('tells the groups that a user has rights by', async () => {
    const [member, maintainer, pending, foreign] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await store().putMembers([
      aMember(member, 'member', { user_id: ME }),
      aMember(maintainer, 'maintainer', { user_id: ME }),
      aMember(pending, 'pending', { user_id: ME }),
      aMember(foreign, 'member'),
    ]);
    expect((await store().toGroups(ME)).sort()).toEqual([member, maintainer].sort());
    expect(await store().toGroups(randomUUID())).toEqual([]);
  });

  it('takes a user out of all groups, and nobody else', async () => {
    const ids = [randomUUID(), randomUUID()];
    const others = ids.map((id) => aMember(id, 'member'));
    await store().putMembers([...ids.map((id) => aMember(id, 'pending', { user_id: ME })), ...others]);
    await store().removeUserEverywhere(ME);
    for (const other of others) expect(await store().listMembers(other.group_id, ALL)).toStrictEqual([other]);
    await store().removeUserEverywhere(randomUUID());
  });

  it('tells the maintainers of one group', async () => {
    const group = aGroup();
    await store().insert(group);
    const [one, two] = [aMember(group.id, 'maintainer'), aMember(group.id, 'maintainer')];
    await store().putMembers([one, two, aMember(group.id, 'member'), aMember(group.id, 'pending')]);
    await store().putMembers([aMember(randomUUID(), 'maintainer')]);
    expect((await store().holdMaintainers(group.id)).sort()).toEqual([one.user_id, two.user_id].sort());
    expect(await store().holdMaintainers(randomUUID())).toEqual([]);
  });
}
