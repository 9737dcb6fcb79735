import { randomUUID } from 'node:crypto';
import { PostgresCollaboratorStore } from '../adapters/postgres/access/postgres-collaborator-store.ts';
import { openOrm } from '../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../adapters/postgres/database/postgres-session.ts';
import { PostgresDatasetContentStore } from '../adapters/postgres/datasets/postgres-dataset-content-store.ts';
import { PostgresDatasetStore } from '../adapters/postgres/datasets/postgres-dataset-store.ts';
import { BLOCK_SIZE } from '../core/datasets/block.ts';
import { NextVersion } from '../core/datasets/next-version.ts';
import type { RowValues } from '../core/datasets/row.ts';
import { writeRows } from '../core/datasets/write-rows.ts';
import type { BenchService } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import { median } from './median.ts';
import type { Measured } from './report.ts';

const VERSIONS = 50;
const EDITS = 20;
const PAGE = 100;
const DEPTH = 0.75;
const REPEATS = 10;
const BATCH = 500;
const TEXT = 'What does the tide table say about the harbour at noon? '.repeat(4);
const TABLES = ['datasets', 'dataset_versions', 'dataset_manifests', 'dataset_blocks', 'dataset_rows'];

interface Row {
  readonly row_id: string;
}

/** One dataset with a single version beside one of the same size with many: nothing may cost more there. */
export async function measureDatasets(benchService: BenchService, rounds: number, numRows: number): Promise<Measured[]> {
  const began = performance.now();
  const single = await fill(benchService, numRows);
  const filled = (performance.now() - began) / 1000;
  const many = await fill(benchService, numRows);
  for (let version = 2; version <= VERSIONS; version += 1) await editAtRandom(benchService, many, numRows);
  for (const table of TABLES) await benchService.client.query(`vacuum analyze ${table}`);
  await measureOne(benchService, single, 1, numRows);
  await measureOne(benchService, many, VERSIONS, numRows);
  const done = await inRounds(rounds, async () => ({
    ours: await measureOne(benchService, many, VERSIONS, numRows),
    against: await measureOne(benchService, single, 1, numRows),
  }));
  const depth = Math.floor(numRows * DEPTH);
  const names = {
    newest: `first page of ${PAGE} of ${numRows} rows, the newest of ${VERSIONS} versions`,
    oldest: 'first page of the oldest version',
    middle: 'first page of a version in the middle',
    deep: `page at depth ${depth} of the newest version`,
    deepOld: `page at depth ${depth} of a version in the middle`,
    append: 'append of one row',
    versions: `list of the newest ${VERSIONS} versions`,
    rollback: 'rollback to the version before',
  } as const;
  const rows = (Object.keys(names) as (keyof typeof names)[]).map((name): Measured => {
    const measured: Measured = { name: names[name], unit: 'ms', ours: done.map(({ ours }) => ours[name]) };
    return {
      ...measured,
      against: { name: 'one version', values: done.map(({ against }) => against[name]) },
      // With one version there is none before it to go back to, and a list of one to show.
      ...(name === 'rollback' ? {} : { target: { better: 'lower', reach: 1.5, aim: 1.1 } }),
    };
  });
  return [{ name: `filling a dataset of ${numRows} rows`, unit: 's', ours: [filled] }, ...rows];
}

async function measureOne(benchService: BenchService, id: string, versions: number, numRows: number) {
  const path = `/datasets/${id}`;
  const depth = Math.floor(numRows * DEPTH);
  const middle = Math.ceil(versions / 2);
  const page = (of: string, token: number) =>
    millis(() => benchService.api.get(`${path}/${of}?starting_token=${token}&limit=${PAGE}`));
  const measured = {
    newest: await page('content', 0),
    oldest: await page('versions/1/content', 0),
    middle: await page(`versions/${middle}/content`, 0),
    deep: await page('content', depth),
    deepOld: await page(`versions/${middle}/content`, depth),
    versions: await millis(() => benchService.api.post(`${path}/versions/query?limit=${VERSIONS}`, {})),
    append: await millis(() => edit(benchService, id, [{ edit_type: 'append_row', values: { input: TEXT } }])),
    rollback: await millis(() => benchService.api.put(`${path}/content`, { rollback_version: Math.max(1, versions - 1) })),
  };
  await forgetSince(benchService, id, versions);
  return measured;
}

const edit = (benchService: BenchService, id: string, edits: readonly object[]) =>
  benchService.api.patch(`/datasets/${id}/content`, { edits });

/** Changes a few rows here and there, takes some out and adds some. */
async function editAtRandom(benchService: BenchService, id: string, numRows: number): Promise<void> {
  const edits: object[] = [];
  for (let at = 0; at < EDITS; at += 1) {
    const token = Math.floor(Math.random() * numRows * DEPTH);
    const { rows } = await benchService.api.get(`/datasets/${id}/content?starting_token=${token}&limit=1`);
    const { row_id } = (rows as Row[])[0]!;
    if (at % 4 === 0) edits.push({ edit_type: 'delete_row', row_id });
    else if (at % 4 === 1) edits.push({ edit_type: 'append_row', values: { input: TEXT } });
    else edits.push({ edit_type: 'update_row', row_id, values: { output: `${at} ${TEXT}` } });
  }
  await edit(benchService, id, edits);
}

/** As the file of a dataset fills it, but without the file. */
async function fill(benchService: BenchService, numRows: number): Promise<string> {
  const orm = await openOrm({ url: benchService.databaseUrl, poolSize: 2 });
  try {
    const session = new PostgresSession({ orm });
    const datasetContentStore = new PostgresDatasetContentStore({ session });
    const id = randomUUID();
    const at = new Date().toISOString();
    const { id: user_id } = (await benchService.api.get('/current_user')) as { id: string };
    const newId = () => randomUUID();
    await datasetContentStore.exclusively(id, async () => {
      const first = new NextVersion(datasetContentStore, id, undefined, { user_id, at, newId, blockSize: BLOCK_SIZE });
      await writeRows(first, { columns: ['input', 'output'], batches: batches(numRows) }, newId);
      await first.finish();
      const facts = { id, name: `bench ${id}`, draft: false, hidden: false, created_by: user_id, created_at: at };
      await new PostgresDatasetStore({ session }).insert(facts);
      const owner = { id: newId(), user_id, role: 'owner', created_at: at } as const;
      await new PostgresCollaboratorStore({ session }).putUsers({ kind: 'dataset', id }, [owner]);
    });
    return id;
  } finally {
    await orm.close();
  }
}

async function* batches(numRows: number): AsyncGenerator<RowValues[]> {
  for (let at = 0; at < numRows; at += BATCH) {
    const size = Math.min(BATCH, numRows - at);
    yield Array.from({ length: size }, (_, row) => ({ input: `${at + row} ${TEXT}`, output: TEXT }));
  }
}

/** Removes the versions that a measurement added, so that the next round starts from the same state. */
async function forgetSince({ client }: BenchService, id: string, versions: number): Promise<void> {
  const next = 'select %s from dataset_manifests where dataset_id = $1 and version_index = $2';
  const kept = [id, versions];
  await client.query(
    `delete from dataset_rows where dataset_id = $1 and revision >= (${next.replace('%s', 'next_revision')})`,
    kept,
  );
  await client.query(
    `delete from dataset_blocks where dataset_id = $1 and block_id >= (${next.replace('%s', 'next_block')})`,
    kept,
  );
  await client.query('delete from dataset_manifests where dataset_id = $1 and version_index > $2', kept);
  await client.query('delete from dataset_versions where dataset_id = $1 and version_index > $2', kept);
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < REPEATS; at += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}
