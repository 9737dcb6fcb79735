import { randomUUID } from 'node:crypto';
import { someone } from '../../setup/access.ts';
import type { Ids } from '../row.ts';
import type { Visibility } from '../rules.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';
import { shareWith } from '../sharing.ts';
import { makeUser } from './account-scenes.ts';
import { makeGroupRow } from './group-scenes.ts';
import { giveRole } from './project-scenes.ts';

/** A prompt template of the host with two versions, used in a project that the caller sees, with a collaborator and a group. */
export async function makeTemplate({ server, host_id }: Town, caller_id: string, group: Visibility = 'hidden'): Promise<Scene> {
  const { templateService, templateVersionService, templateStore, projectStore, collaboratorStore } = server.cradle;
  const secret = `secret ${randomUUID()}`;
  const drawn = unknownIds(caller_id);
  const { project_id } = drawn;
  const host = someone({ user_id: host_id });
  const version = { template: secret, raw: false };
  const name = `template ${secret}`;
  const { id: template_id } = await templateService.create(host, { ...version, name, hidden: false });
  await templateVersionService.add(host, template_id, version);
  const times = { created_at: now(), updated_at: now() };
  const facts = {
    name: randomUUID(),
    type: 'gen_ai',
    description: null,
    labels: [],
    type_is_default: false,
    created_by: host_id,
  } as const;
  await projectStore.insertProject({ ...facts, labels: [], ...times, id: project_id });
  await giveRole(server, project_id, caller_id, 'viewer');
  await templateStore.use(template_id, project_id);
  const user_id = await makeUser(server);
  const group_id = await makeGroupRow(server, host_id, randomUUID(), group);
  const object = { kind: 'template', id: template_id } as const;
  await shareWith(server, object, user_id, 'viewer');
  await collaboratorStore.putGroups(object, [{ id: randomUUID(), group_id, role: 'viewer', created_at: now() }]);
  const ids: Ids = { ...drawn, template_id, user_id, group_id, name };
  return { ids, secret, picture: () => pictureOf({ server, host_id }, template_id) };
}

async function pictureOf({ server: { cradle } }: Town, id: string): Promise<string> {
  const object = { kind: 'template', id } as const;
  return JSON.stringify([
    await cradle.templateStore.find(id),
    await cradle.templateStore.listVersions(id, { name: 'version', ascending: true }, ALL),
    await cradle.collaboratorStore.listUsers(object, ALL),
    await cradle.collaboratorStore.listGroups(object, ALL),
    (await cradle.auditStore.list({ object_id: id }, ALL)).length,
  ]);
}
