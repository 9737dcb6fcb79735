import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../http/harness.ts';
import type { Standing, Visibility } from '../rules.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';
import { makeUser } from './account-scenes.ts';

/** A group that the host maintains, with one member; the caller is in it as told. */
export async function makeGroup(
  { server, host_id }: Town,
  caller_id: string,
  { visibility, standing }: { readonly visibility: Visibility; readonly standing: Standing },
): Promise<Scene> {
  const secret = `secret ${randomUUID()}`;
  const name = `group ${secret}`;
  const group_id = await makeGroupRow(server, host_id, name, visibility);
  const user_id = await makeUser(server);
  await putMember(server, group_id, host_id, 'maintainer');
  await putMember(server, group_id, user_id, 'member');
  if (standing !== 'outsider') await putMember(server, group_id, caller_id, standing);
  const { groupStore, auditStore } = server.cradle;
  const picture = async () =>
    JSON.stringify([
      await groupStore.findMany([group_id]),
      await groupStore.listMembers(group_id, ALL),
      (await auditStore.list({ object_id: group_id }, ALL)).length,
    ]);
  return { ids: { ...unknownIds(caller_id), group_id, user_id, name }, secret, picture };
}

export async function makeGroupRow(
  server: TestServer,
  created_by: string,
  name: string,
  visibility: Visibility,
): Promise<string> {
  const id = randomUUID();
  const group = { id, name, description: '', visibility, created_by, created_at: now(), updated_at: now() };
  await server.cradle.groupStore.insert(group);
  return id;
}

export async function putMember(
  server: TestServer,
  group_id: string,
  user_id: string,
  role: Exclude<Standing, 'outsider'>,
): Promise<void> {
  await server.cradle.groupStore.putMembers([{ id: randomUUID(), group_id, user_id, role, created_at: now() }]);
}
