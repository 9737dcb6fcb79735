import { randomUUID } from 'node:crypto';
import { newDataset, rowsOf } from '../../http/datasets/dataset-world.ts';
import { someone } from '../../setup/access.ts';
import type { Ids } from '../row.ts';
import type { Visibility } from '../rules.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';
import { shareWith } from '../sharing.ts';
import { makeUser } from './account-scenes.ts';
import { makeGroupRow } from './group-scenes.ts';
import { makeGate, makeScorerRow } from './scorer-scenes.ts';

/** A dataset of the host with two versions, a scorer with a gate, a collaborator and a group. */
export async function makeDataset({ server, host_id }: Town, caller_id: string, group: Visibility = 'hidden'): Promise<Scene> {
  const { datasetCreationService, datasetEditService, collaboratorStore } = server.cradle;
  const secret = `secret ${randomUUID()}`;
  const name = `dataset ${secret}`;
  const host = someone({ user_id: host_id });
  const { id: dataset_id } = await datasetCreationService.create(host, newDataset({ name }), rowsOf([{ input: secret }]));
  const row_id = randomUUID();
  const append = { edit_type: 'append_row', row_id, values: { output: secret } } as const;
  await datasetEditService.edit(host, dataset_id, { edits: [append] }, undefined);
  const user_id = await makeUser(server);
  const group_id = await makeGroupRow(server, host_id, randomUUID(), group);
  const object = { kind: 'dataset', id: dataset_id } as const;
  await shareWith(server, object, user_id, 'viewer');
  await collaboratorStore.putGroups(object, [{ id: randomUUID(), group_id, role: 'viewer', created_at: now() }]);
  const ids: Ids = { ...unknownIds(caller_id), dataset_id, source_dataset_id: dataset_id, row_id, user_id, group_id, name };
  await makeScorerRow(server, host_id, ids);
  await makeGate(server, ids);
  return { ids, secret, picture: () => pictureOf({ server, host_id }, dataset_id) };
}

async function pictureOf({ server: { cradle } }: Town, id: string): Promise<string> {
  const object = { kind: 'dataset', id } as const;
  return JSON.stringify([
    await cradle.datasetStore.find(id),
    await cradle.datasetContentStore.listVersions(id, true, ALL),
    await cradle.datasetContentStore.findHead(id),
    await cradle.collaboratorStore.listUsers(object, ALL),
    await cradle.collaboratorStore.listGroups(object, ALL),
    (await cradle.auditStore.list({ object_id: id }, ALL)).length,
  ]);
}
