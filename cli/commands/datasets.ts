import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { allOf } from './all-of.ts';
import { CommandError } from './command-error.ts';
import { lookUpDataset } from './places.ts';
import type { ServiceClient } from './service-client.ts';

export interface PushedDataset {
  readonly id: string;
  readonly name: string;
  readonly num_rows: number | null;
  readonly current_version_index: number;
  readonly made: boolean;
}

export interface DatasetRow {
  readonly row_id: string;
  readonly values_dict: Readonly<Record<string, unknown>>;
}

const PAGE = 1_000;

/** Makes a dataset of a file (csv, jsonl, json, parquet …). One of that name gets the rows as a new version. */
export async function pushDataset(client: ServiceClient, file: string, name: string, replaces: boolean): Promise<PushedDataset> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`);
  });
  const existing = await lookUpDataset(client, name);
  if (existing === undefined) return { ...(await upload(client, file, content, { name })), made: true };
  // The service reads the file, whatever its format: it is taken in beside, and its rows are copied from there.
  const beside = await upload(client, file, content, {
    name: `${name} (being pushed)`,
    append_suffix_if_duplicate: 'true',
    hidden: 'true',
  });
  try {
    return { ...(await addVersion(client, existing, beside.id, replaces)), made: false };
  } finally {
    await client.open('DELETE', `/v2/datasets/${beside.id}`);
  }
}

async function upload(client: ServiceClient, file: string, content: Uint8Array<ArrayBuffer>, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new File([content], basename(file)));
  return client.call<PushedDataset>('POST', '/v2/datasets', { body });
}

/** One edit is one version: whoever reads meanwhile sees the old rows or the new ones. */
async function addVersion(client: ServiceClient, id: string, from: string, replaces: boolean): Promise<PushedDataset> {
  const old = replaces ? await allOf(readRows(client, id)) : [];
  const rows = await allOf(readRows(client, from));
  const edits = [
    ...old.map(({ row_id }) => ({ edit_type: 'delete_row', row_id })),
    ...rows.map(({ values_dict }) => ({ edit_type: 'append_row', values: values_dict })),
  ];
  await client.open('PATCH', `/v2/datasets/${id}/content`, { json: { edits } });
  return client.call('GET', `/v2/datasets/${id}`);
}

/** All rows of the newest version, page by page. */
export async function* readRows(client: ServiceClient, id: string): AsyncGenerator<DatasetRow> {
  for (let token: number | null = 0; token !== null; ) {
    const path = `/v2/datasets/${id}/content?starting_token=${token}&limit=${PAGE}`;
    const page: { rows: DatasetRow[]; next_starting_token: number | null } = await client.call('GET', path);
    yield* page.rows;
    token = page.next_starting_token;
  }
}
