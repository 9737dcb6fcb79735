import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Caller } from '../../../core/access/caller.ts';
import type { NewDataset } from '../../../core/datasets/dataset.ts';
import type { RowSource, RowValues } from '../../../core/datasets/row.ts';
import { someone } from '../../setup/access.ts';
import { ADMIN, type TestServer } from '../harness.ts';

/** Rows as a file would give them. */
export const readRows = (rows: readonly RowValues[], columns: readonly string[] = []): RowSource => ({
  columns,
  batches: (async function* () {
    yield rows;
  })(),
});

export const newDataset = (facts: Partial<NewDataset> = {}): NewDataset => ({
  name: `dataset ${randomUUID()}`,
  draft: false,
  hidden: false,
  append_suffix_if_duplicate: false,
  project_id: null,
  ...facts,
});

/** The administrator as a caller of services. */
export async function admin({ cradle }: TestServer): Promise<Caller> {
  const user = await cradle.accessStore.findUserByEmail(ADMIN.email);
  return someone({ user_id: user!.id, email: ADMIN.email, role: 'admin' });
}

/** A dataset of the administrator's with these rows. */
export async function makeDataset(server: TestServer, rows: readonly RowValues[], facts: Partial<NewDataset> = {}) {
  return server.cradle.datasetCreationService.create(await admin(server), newDataset(facts), readRows(rows));
}

export async function rowsIn(server: TestServer, id: string, version?: number) {
  const path = version === undefined ? 'content' : `versions/${version}/content`;
  const { status, body } = await server.request('GET', `/v2/datasets/${id}/${path}?limit=1000`);
  expect(status).toBe(200);
  return body.rows as {
    row_id: string;
    index: number;
    values: unknown[];
    values_dict: RowValues;
    metadata: { updated_in_version: number; created_in_version: number };
  }[];
}

export const inputs = async (server: TestServer, id: string, version?: number): Promise<unknown[]> =>
  (await rowsIn(server, id, version)).map(({ values_dict }) => values_dict.input);
