import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GroupCollaboration, UserCollaboration } from '../../../core/access/groups/collaborator.ts';
import type { CollaboratorStore } from '../../../core/access/groups/collaborator-store.ts';
import type { CollaboratorRole, ObjectKind, ObjectRef } from '../../../core/access/role.ts';
import type { Opened } from '../opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const ALL = { offset: 0, limit: 100 };
const FIRST = '11111111-2222-4222-8222-222222222222';
const SECOND = '22222222-2222-4222-8222-222222222222';

const object = (kind: ObjectKind = 'project'): ObjectRef => ({ kind, id: randomUUID() });

function aUser(role: CollaboratorRole, facts: Partial<UserCollaboration> = {}): UserCollaboration {
  return { id: randomUUID(), user_id: randomUUID(), role, created_at: EARLY, ...facts };
}

function aGroup(role: CollaboratorRole, facts: Partial<GroupCollaboration> = {}): GroupCollaboration {
  return { id: randomUUID(), group_id: randomUUID(), role, created_at: EARLY, ...facts };
}

export function collaboratorStoreContract(adapter: string, open: () => Promise<Opened<CollaboratorStore>>): void {
  describe(`CollaboratorStore, ${adapter}`, () => {
    let opened: Opened<CollaboratorStore>;
    let store: CollaboratorStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    userCollaborators(() => store);
    groupCollaborators(() => store);
    roles(() => store);
    owners(() => store);
    removals(() => store);
  });
}

function userCollaborators(store: () => CollaboratorStore): void {
  it('finds a user on an object as it was put there', async () => {
    const [project, user] = [object(), aUser('owner', { created_at: LATE })];
    expect(await store().putUsers(project, [user])).toStrictEqual([user]);
    expect(await store().findUser(project, user.user_id)).toStrictEqual(user);
    expect(await store().listUsers(project, ALL)).toStrictEqual([user]);
  });

  it('keeps objects, and kinds of objects of one id, apart', async () => {
    const [project, user] = [object(), aUser('viewer')];
    await store().putUsers(project, [user]);
    for (const other of [object(), { kind: 'dataset', id: project.id } as const]) {
      expect(await store().findUser(other, user.user_id)).toBeUndefined();
      expect(await store().listUsers(other, ALL)).toEqual([]);
      expect(await store().removeUser(other, user.user_id)).toBe(false);
    }
    expect(await store().findUser(project, randomUUID())).toBeUndefined();
    expect(await store().findUser(project, user.user_id)).toStrictEqual(user);
  });

  it('gives who is there already the new role, and keeps id and timestamp', async () => {
    const [project, known, added] = [object(), aUser('viewer'), aUser('editor')];
    await store().putUsers(project, [known]);
    const again = aUser('owner', { user_id: known.user_id, created_at: LATE });
    const changed = { ...known, role: 'owner' };
    expect(await store().putUsers(project, [added, again])).toStrictEqual([added, changed]);
    expect(await store().findUser(project, known.user_id)).toStrictEqual(changed);
    expect(await store().listUsers(project, ALL)).toHaveLength(2);
  });

  it('gives a user named twice the last role', async () => {
    const [project, user] = [object(), aUser('viewer')];
    const put = await store().putUsers(project, [user, { ...user, role: 'editor' }]);
    expect(put).toStrictEqual([
      { ...user, role: 'editor' },
      { ...user, role: 'editor' },
    ]);
    expect(await store().listUsers(project, ALL)).toStrictEqual([{ ...user, role: 'editor' }]);
    expect(await store().putUsers(project, [])).toEqual([]);
  });

  it('lists users oldest first, to the microsecond, ties by id, in slices', async () => {
    const project = object();
    const last = aUser('viewer', { created_at: LATE });
    const second = aUser('owner', { id: SECOND });
    const first = aUser('editor', { id: FIRST });
    await store().putUsers(project, [last, second, first]);
    expect(await store().listUsers(project, ALL)).toStrictEqual([first, second, last]);
    expect(await store().listUsers(project, { offset: 0, limit: 1 })).toStrictEqual([first]);
    expect(await store().listUsers(project, { offset: 1, limit: 5 })).toStrictEqual([second, last]);
  });

  it('hands out copies and keeps copies', async () => {
    const [project, user] = [object(), aUser('owner')];
    const given = { ...user };
    const [put] = await store().putUsers(project, [given]);
    Object.assign(given, { role: 'viewer' });
    Object.assign(put!, { role: 'viewer' });
    Object.assign((await store().findUser(project, user.user_id))!, { role: 'viewer' });
    Object.assign((await store().listUsers(project, ALL))[0]!, { role: 'viewer' });
    expect(await store().findUser(project, user.user_id)).toStrictEqual(user);
    const kept = { ...project };
    Object.assign(project, { id: randomUUID() });
    expect(await store().findUser(kept, user.user_id)).toStrictEqual(user);
  });
}

function groupCollaborators(store: () => CollaboratorStore): void {
  it('finds a group on an object as it was put there, and nowhere else', async () => {
    const [project, group] = [object(), aGroup('annotator', { created_at: LATE })];
    expect(await store().putGroups(project, [group])).toStrictEqual([group]);
    expect(await store().findGroup(project, group.group_id)).toStrictEqual(group);
    expect(await store().findGroup(project, randomUUID())).toBeUndefined();
    expect(await store().findGroup({ ...project, kind: 'template' }, group.group_id)).toBeUndefined();
    expect(await store().findUser(project, group.group_id)).toBeUndefined();
    expect(await store().listUsers(project, ALL)).toEqual([]);
  });

  it('gives a group that is there already, or is named twice, the last role', async () => {
    const [project, known] = [object(), aGroup('viewer')];
    await store().putGroups(project, [known]);
    const again = aGroup('editor', { group_id: known.group_id, created_at: LATE });
    const changed = { ...known, role: 'owner' };
    expect(await store().putGroups(project, [again, { ...again, role: 'owner' }])).toStrictEqual([changed, changed]);
    expect(await store().listGroups(project, ALL)).toStrictEqual([changed]);
  });

  it('lists groups oldest first, ties by id, in slices', async () => {
    const project = object();
    const last = aGroup('viewer', { created_at: LATE });
    const second = aGroup('owner', { id: SECOND });
    const first = aGroup('editor', { id: FIRST });
    await store().putGroups(project, [last, second, first]);
    expect(await store().listGroups(project, ALL)).toStrictEqual([first, second, last]);
    expect(await store().listGroups(project, { offset: 1, limit: 1 })).toStrictEqual([second]);
  });

  it('hands out copies of groups', async () => {
    const [project, group] = [object(), aGroup('owner')];
    const [put] = await store().putGroups(project, [group]);
    Object.assign(put!, { role: 'viewer' });
    Object.assign((await store().findGroup(project, group.group_id))!, { role: 'viewer' });
    Object.assign((await store().listGroups(project, ALL))[0]!, { role: 'viewer' });
    expect(await store().findGroup(project, group.group_id)).toStrictEqual(group);
  });
}

function roles(store: () => CollaboratorStore): void {
  it('tells all roles of a subject on an object, own and by groups', async () => {
    const [project, user, first, second] = [object(), aUser('viewer'), aGroup('editor'), aGroup('viewer')];
    await store().putUsers(project, [user, aUser('owner')]);
    await store().putGroups(project, [first, second, aGroup('owner')]);
    const { user_id } = user;
    const getRoles = async (group_ids: string[], on = project) => (await store().rolesOn(on, { user_id, group_ids })).sort();
    expect(await getRoles([])).toEqual(['viewer']);
    expect(await getRoles([first.group_id, second.group_id, randomUUID()])).toEqual(['editor', 'viewer', 'viewer']);
    expect(await getRoles([first.group_id], object())).toEqual([]);
    expect(await getRoles([first.group_id], { ...project, kind: 'dataset' })).toEqual([]);
    expect(await store().rolesOn(project, { user_id: randomUUID(), group_ids: [] })).toEqual([]);
  });

  it('says whether an object has any collaborator, be it a group', async () => {
    const [byUser, byGroup] = [object(), object('dataset')];
    await store().putUsers(byUser, [aUser('viewer')]);
    await store().putGroups(byGroup, [aGroup('viewer')]);
    expect(await store().isShared(byUser)).toBe(true);
    expect(await store().isShared(byGroup)).toBe(true);
    expect(await store().isShared({ ...byUser, kind: 'dataset' })).toBe(false);
    expect(await store().isShared(object())).toBe(false);
  });

  it('tells the highest role of a subject on each object of a kind', async () => {
    const [user, group] = [aUser('viewer'), aGroup('editor')];
    const { user_id } = user;
    const [own, both, byGroup, other] = [object(), object(), object(), object('dataset')];
    await store().putUsers(own, [user, aUser('owner')]);
    await store().putUsers(both, [{ ...user, role: 'annotator' }]);
    await store().putGroups(both, [group]);
    await store().putGroups(byGroup, [{ ...group, role: 'owner' }]);
    await store().putUsers(other, [user]);
    await store().putUsers(object(), [aUser('owner')]);
    const seen = await store().rolesByObject('project', { user_id, group_ids: [group.group_id] });
    expect(seen).toEqual(
      new Map([
        [own.id, 'viewer'],
        [both.id, 'editor'],
        [byGroup.id, 'owner'],
      ]),
    );
    expect(await store().rolesByObject('dataset', { user_id, group_ids: [] })).toEqual(new Map([[other.id, 'viewer']]));
    expect(await store().rolesByObject('template', { user_id, group_ids: [group.group_id] })).toEqual(new Map());
  });
}

function owners(store: () => CollaboratorStore): void {
  it('tells the users who own an object, not the groups', async () => {
    const [project, one, two] = [object(), aUser('owner'), aUser('owner')];
    await store().putUsers(project, [one, aUser('editor'), two]);
    await store().putUsers({ ...project, kind: 'dataset' }, [aUser('owner')]);
    await store().putGroups(project, [aGroup('owner')]);
    expect((await store().holdOwners(project)).sort()).toEqual([one.user_id, two.user_id].sort());
    expect(await store().holdOwners(object())).toEqual([]);
  });

  it('tells the objects of every kind that no other user owns', async () => {
    const user = aUser('owner');
    const [alone, dataset, shared, viewed, foreign] = [object(), object('dataset'), object(), object(), object()];
    await store().putUsers(alone, [user, aUser('editor')]);
    await store().putGroups(alone, [aGroup('owner')]);
    await store().putUsers(dataset, [user]);
    await store().putUsers({ kind: 'template', id: dataset.id }, [aUser('owner')]);
    await store().putUsers(shared, [user, aUser('owner')]);
    await store().putUsers(viewed, [{ ...user, role: 'viewer' }, aUser('owner')]);
    await store().putUsers(foreign, [aUser('owner')]);
    const found = await store().holdOwnedAlone(user.user_id);
    expect(found.sort((a, b) => (a.kind < b.kind ? -1 : 1))).toStrictEqual([dataset, alone]);
    expect(await store().holdOwnedAlone(randomUUID())).toEqual([]);
  });
}

function removals(store: () => CollaboratorStore): void {
  it('takes a user or a group off one object, once', async () => {
    const [project, other, user, group] = [object(), object(), aUser('owner'), aGroup('viewer')];
    for (const one of [project, other]) await store().putUsers(one, [user]);
    for (const one of [project, other]) await store().putGroups(one, [group]);
    expect(await store().removeUser(project, user.user_id)).toBe(true);
    expect(await store().removeUser(project, user.user_id)).toBe(false);
    expect(await store().removeGroup(project, group.group_id)).toBe(true);
    expect(await store().removeGroup(project, group.group_id)).toBe(false);
    expect(await store().isShared(project)).toBe(false);
    expect(await store().findUser(other, user.user_id)).toStrictEqual(user);
    expect(await store().findGroup(other, group.group_id)).toStrictEqual(group);
  });

  it('takes a user or a group off all objects, and nobody else', async () => {
    const [user, kept, group, keptGroup] = [aUser('owner'), aUser('viewer'), aGroup('viewer'), aGroup('owner')];
    const objects = [object(), object('dataset'), object('integration')];
    for (const one of objects) await store().putUsers(one, [user, kept]);
    for (const one of objects) await store().putGroups(one, [group, keptGroup]);
    await store().removeUserEverywhere(user.user_id);
    await store().removeGroupEverywhere(group.group_id);
    for (const one of objects) expect(await store().listUsers(one, ALL)).toStrictEqual([kept]);
    for (const one of objects) expect(await store().listGroups(one, ALL)).toStrictEqual([keptGroup]);
    await store().removeUserEverywhere(randomUUID());
  });

  it('removes all collaborators of an object, and of no other one', async () => {
    const [gone, user, group] = [object(), aUser('owner'), aGroup('viewer')];
    const kept: ObjectRef = { ...gone, kind: 'template' };
    for (const one of [gone, kept]) await store().putUsers(one, [user, aUser('viewer')]);
    for (const one of [gone, kept]) await store().putGroups(one, [group]);
    await store().removeObject(gone);
    expect(await store().isShared(gone)).toBe(false);
    expect(await store().listUsers(kept, ALL)).toHaveLength(2);
    expect(await store().listGroups(kept, ALL)).toStrictEqual([group]);
    await store().removeObject(object());
  });
}
