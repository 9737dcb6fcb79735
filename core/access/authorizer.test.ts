import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Access, openMemoryAccess, share, someone } from '../../test/setup/access.ts';
import type { Caller } from './caller.ts';
import type { CollaboratorRole, ObjectAction } from './role.ts';

let now = Date.parse('2026-01-02T03:04:05.678Z');
let access: Access;
const project: string = randomUUID();
const owner = someone();
beforeEach(async () => {
  access = openMemoryAccess(() => new Date(now));
  await share(access, ['project', project], owner, 'owner');
});

const getRole = (caller: Caller, id = project) => access.authorizer.roleOn(caller, 'project', id);
const authorize = (caller: Caller, action: ObjectAction<'project'> | 'read', id = project) =>
  access.authorizer.authorize(caller, 'project', id, action);
const notFound = { kind: 'not_found', code: 'project_not_found' };
const forbidden = { kind: 'forbidden', code: 'role_too_low' };

async function groupWith(
  caller: Caller,
  role: 'member' | 'maintainer' | 'pending',
  onProject: CollaboratorRole,
): Promise<string> {
  const id = randomUUID();
  const at = new Date(now).toISOString();
  const { groupStore, collaboratorStore, authorizer } = access;
  const facts = { name: id, description: '', visibility: 'private' as const, created_by: owner.user_id };
  await groupStore.insert({ id, ...facts, created_at: at, updated_at: at });
  await groupStore.putMembers([{ id: randomUUID(), group_id: id, user_id: caller.user_id, role, created_at: at }]);
  const entry = { id: randomUUID(), group_id: id, role: onProject, created_at: at };
  await collaboratorStore.putGroups({ kind: 'project', id: project }, [entry]);
  authorizer.forget();
  return id;
}

describe('a role on an object', () => {
  it('is nothing unless it was given', async () => {
    for (const caller of [someone(), someone({ role: 'manager' }), someone({ role: 'read_only' })]) {
      expect(await getRole(caller)).toBeUndefined();
      await expect(authorize(caller, 'read')).rejects.toMatchObject(notFound);
      await expect(authorize(caller, 'delete')).rejects.toMatchObject(notFound);
    }
  });

  it('looks like an unknown object to who has none', async () => {
    const message = (id: string) => authorize(someone(), 'read', id).catch((error: Error) => error.message.replace(id, 'ID'));
    expect(await message(project)).toBe(await message(randomUUID()));
  });

  it('allows what it and the roles below it allow, and refuses the rest by name', async () => {
    const least: Record<CollaboratorRole, ObjectAction<'project'>> = {
      viewer: 'export_data',
      annotator: 'record_human_feedback',
      editor: 'log_data',
      owner: 'share',
    };
    const order: CollaboratorRole[] = ['viewer', 'annotator', 'editor', 'owner'];
    for (const [rank, role] of order.entries()) {
      const caller = someone();
      await share(access, ['project', project], caller, role);
      for (const [needed, one] of order.entries()) {
        if (needed <= rank) expect(await authorize(caller, least[one])).toBe(role);
        else await expect(authorize(caller, least[one])).rejects.toMatchObject(forbidden);
      }
    }
  });

  it('by a group counts for members and maintainers, not for pending ones', async () => {
    const [member, maintainer, pending] = [someone(), someone(), someone()];
    await groupWith(member, 'member', 'editor');
    await groupWith(maintainer, 'maintainer', 'viewer');
    await groupWith(pending, 'pending', 'owner');
    expect([await getRole(member), await getRole(maintainer), await getRole(pending)]).toEqual(['editor', 'viewer', undefined]);
  });

  it('is the highest of all that a caller has', async () => {
    const caller = someone();
    await share(access, ['project', project], caller, 'annotator');
    await groupWith(caller, 'member', 'viewer');
    expect(await getRole(caller)).toBe('annotator');
    await groupWith(caller, 'member', 'editor');
    expect(await getRole(caller)).toBe('editor');
  });

  it('is that of an owner for administrators, on what exists', async () => {
    const admin = someone({ role: 'admin' });
    expect(await getRole(admin)).toBe('owner');
    await expect(authorize(admin, 'read', randomUUID())).rejects.toMatchObject(notFound);
  });

  it('holds for one kind of object only', async () => {
    expect(await access.authorizer.roleOn(owner, 'dataset', project)).toBeUndefined();
  });
});

describe('limits', () => {
  it('of a read-only user keep every role at viewer', async () => {
    const reader = someone({ role: 'read_only' });
    await share(access, ['project', project], reader, 'owner');
    expect(await getRole(reader)).toBe('viewer');
  });

  it('of a key keep its owner from more, and never give more', async () => {
    expect(await getRole({ ...owner, max_role: 'annotator' })).toBe('annotator');
    const viewer = someone({ max_role: 'editor' });
    await share(access, ['project', project], viewer, 'viewer');
    expect(await getRole(viewer)).toBe('viewer');
  });

  it('of a key made for one project hide every other, never own it, and leave a viewer outside projects', async () => {
    const [second, dataset] = [randomUUID(), randomUUID()];
    await share(access, ['project', second], owner, 'owner');
    await share(access, ['dataset', dataset], owner, 'owner');
    const key = { ...owner, project_id: project };
    expect(await getRole(key)).toBe('editor');
    expect(await getRole(key, second)).toBeUndefined();
    expect(await access.authorizer.roleOn(key, 'dataset', dataset)).toBe('viewer');
    expect((await access.authorizer.visible(key, 'project')).filters).toMatchObject([{ values: [project] }]);
  });

  it('of a key made for one project hold for administrators too', async () => {
    const second = randomUUID();
    await share(access, ['project', second], owner, 'owner');
    const key = someone({ role: 'admin', project_id: second });
    expect([await getRole(key), await getRole(key, second)]).toEqual([undefined, 'editor']);
    expect(() => access.authorizer.authorizeInOrganization(key, 'manage_users')).toThrow(expect.objectContaining(forbidden));
  });
});

describe('what is visible', () => {
  it('is what a role was given on, own or by a group, once', async () => {
    const caller = someone();
    const own = randomUUID();
    await share(access, ['project', own], caller, 'viewer');
    await share(access, ['dataset', randomUUID()], caller, 'owner');
    await groupWith(caller, 'member', 'editor');
    const { filters, roleOn } = await access.authorizer.visible(caller, 'project');
    expect(filters).toHaveLength(1);
    expect(new Set(filters[0]!.values)).toEqual(new Set([own, project]));
    expect([roleOn(own), roleOn(project)]).toEqual(['viewer', 'editor']);
  });

  it('is nothing for who has no role, and everything for administrators', async () => {
    expect((await access.authorizer.visible(someone(), 'project')).filters).toMatchObject([{ operator: 'one_of', values: [] }]);
    const all = await access.authorizer.visible(someone({ role: 'admin' }), 'project');
    expect([all.filters, all.roleOn(project)]).toEqual([[], 'owner']);
  });
});

describe('what was decided', () => {
  it('is believed for a second when somebody else changes it, and no longer', async () => {
    const caller = someone();
    await share(access, ['project', project], caller, 'editor');
    expect(await getRole(caller)).toBe('editor');
    await access.collaboratorStore.removeUser({ kind: 'project', id: project }, caller.user_id);
    now += 999;
    expect(await getRole(caller)).toBe('editor');
    now += 1;
    expect(await getRole(caller)).toBeUndefined();
  });

  it('is looked up once for all who need it at the same time', async () => {
    const caller = someone();
    await share(access, ['project', project], caller, 'editor');
    const lookUps = vi.spyOn(access.collaboratorStore, 'rolesOn');
    const roles = await Promise.all(Array.from({ length: 20 }, () => getRole(caller)));
    expect(roles).toEqual(Array(20).fill('editor'));
    expect(lookUps).toHaveBeenCalledTimes(1);
  });

  it('is not remembered when it was changed here while it was looked up', async () => {
    const caller = someone();
    await share(access, ['project', project], caller, 'editor');
    const before = getRole(caller);
    await access.collaboratorStore.removeUser({ kind: 'project', id: project }, caller.user_id);
    access.authorizer.forget();
    await before;
    expect(await getRole(caller)).toBeUndefined();
  });

  it('is asked again at once when it was a refusal', async () => {
    const caller = someone();
    expect(await getRole(caller)).toBeUndefined();
    const entry = { id: randomUUID(), user_id: caller.user_id, role: 'viewer', created_at: new Date(now).toISOString() } as const;
    await access.collaboratorStore.putUsers({ kind: 'project', id: project }, [entry]);
    expect(await getRole(caller)).toBe('viewer');
  });

  it('is not passed on to a caller with other limits', async () => {
    expect(await getRole(owner)).toBe('owner');
    expect(await getRole({ ...owner, max_role: 'viewer' })).toBe('viewer');
    expect(await getRole({ ...owner, role: 'read_only' })).toBe('viewer');
    expect(await getRole(owner)).toBe('owner');
  });
});

describe('what belongs to the one who made it', () => {
  it('is changed by them, by managers and administrators, and by nobody else', () => {
    const may = (caller: Caller) => () => access.authorizer.authorizeOnOwn(caller, owner.user_id, 'scorer');
    for (const caller of [owner, someone({ role: 'manager' }), someone({ role: 'admin' })]) expect(may(caller)).not.toThrow();
    const others = [someone(), { ...owner, role: 'read_only' as const }, { ...owner, max_role: 'viewer' as const }];
    for (const caller of others) expect(may(caller)).toThrow(expect.objectContaining(forbidden));
  });
});
