import { randomUUID } from 'node:crypto';
import { someone } from '../../setup/access.ts';
import { quietProvider } from '../../setup/fake-provider.ts';
import type { Visibility } from '../rules.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';
import { shareWith } from '../sharing.ts';
import { makeUser } from './account-scenes.ts';
import { makeGroupRow } from './group-scenes.ts';

/** An integration of the host with a collaborator and a group. */
export async function makeIntegration(
  { server, host_id }: Town,
  caller_id: string,
  group: Visibility = 'hidden',
): Promise<Scene> {
  const { integrationService, collaboratorStore } = server.cradle;
  const secret = `secret ${randomUUID()}`;
  const drawn = unknownIds(caller_id);
  const host = someone({ user_id: host_id });
  const settings = { token: `sk-${randomUUID()}`, note: secret };
  const { id: integration_id } = await integrationService.putIntegration(host, quietProvider, drawn.name, settings);
  const user_id = await makeUser(server);
  const group_id = await makeGroupRow(server, host_id, randomUUID(), group);
  const object = { kind: 'integration', id: integration_id } as const;
  await shareWith(server, object, user_id, 'viewer');
  await collaboratorStore.putGroups(object, [{ id: randomUUID(), group_id, role: 'viewer', created_at: now() }]);
  const ids = { ...drawn, integration_id, user_id, group_id };
  return { ids, secret, picture: () => pictureOf({ server, host_id }, integration_id) };
}

async function pictureOf({ server: { cradle } }: Town, id: string): Promise<string> {
  const object = { kind: 'integration', id } as const;
  return JSON.stringify([
    await cradle.integrationStore.find(id),
    await cradle.collaboratorStore.listUsers(object, ALL),
    await cradle.collaboratorStore.listGroups(object, ALL),
    (await cradle.auditStore.list({ object_id: id }, ALL)).length,
  ]);
}
