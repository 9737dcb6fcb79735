import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import type { QueuedJob } from '../jobs/pg-boss-queue.ts';
import type { WriterSql } from '../traces/writer-connection.ts';
import { copyIn } from './copy-stream.ts';
import { computeSha256, readGzip } from './hashed-file.ts';
import type { BackupManifest, BackupTable } from './manifest.ts';
import { checksumTable, TEXT_SETTINGS, toList } from './table-sums.ts';

/** Rejects unless every file of the backup is there as it was written. */
export async function checkFiles(folder: string, manifest: BackupManifest): Promise<void> {
  const [first, ...others] = await findDamagedFiles(folder, manifest);
  if (first === undefined) return;
  throw new Error(others.length === 0 ? first : `${first}, and ${others.length} other files are too`);
}

/** Tells of each file of the backup that is not there as it was written. */
export async function findDamagedFiles(folder: string, { tables, jobs, files }: BackupManifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const { file, sha256 } of [...tables, jobs, ...files]) {
    const found = await computeSha256(join(folder, file)).catch((error: NodeJS.ErrnoException) => error.code);
    if (found !== sha256) damaged.push(`${join(folder, file)} is ${found === 'ENOENT' ? 'missing' : 'damaged'}`);
  }
  return damaged;
}

/** Whether a database holds anything that a restore would mix with. */
export async function holdsData(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('public.users') is not null as there");
    return rows[0]!.there && (await client.query('select from users limit 1')).rowCount !== 0;
  });
}

export interface Restoring {
  readonly url: string;
  readonly folder: string;
  readonly manifest: BackupManifest;
  /** Puts jobs into the queue within the transaction that `sql` is in. */
  enqueue(sql: WriterSql, jobs: readonly QueuedJob[]): Promise<void>;
  /** Told how many tables are done, of how many. */
  onTable?(done: number, total: number): void;
}

/**
 * Fills the tables, which are there and hold at most what migrations put in. One transaction: all of it or nothing.
 * Rejects when a table does not come out with the rows and the checksum that the backup was made with.
 */
export async function readBackup({ url, folder, manifest, enqueue, onTable }: Restoring): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(TEXT_SETTINGS);
    await client.query('begin');
    for (const [done, table] of manifest.tables.entries()) {
      onTable?.(done, manifest.tables.length);
      await fillTable(client, folder, table);
    }
    for (const { name, value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [`public.${name}`, value, is_called]);
    const sql: WriterSql = { executeSql: (text, values) => client.query<Record<string, unknown>>(text, values) };
    await enqueue(sql, await readJobs(folder, manifest.jobs));
    await client.query('commit');
    await client.query('analyze');
  });
}

async function fillTable(client: Client, folder: string, { name, columns, file, rows, checksum }: BackupTable): Promise<void> {
  const table = escapeIdentifier(name);
  // The audit log refuses whatever is not a new line.
  await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${table}`);
  await copyIn(client, `copy ${table} (${toList(columns)}) from stdin`, readGzip(join(folder, file)));
  await client.query(`alter table ${table} enable trigger user`);
  const found = await checksumTable(client, name, columns);
  if (found.rows !== rows || found.checksum !== checksum)
    throw new Error(
      `table ${name} was restored with ${found.rows} rows, checksum ${found.checksum}; it had ${rows}, ${checksum}`,
    );
}

async function readJobs(folder: string, { file, rows }: BackupManifest['jobs']): Promise<QueuedJob[]> {
  const chunks: string[] = [];
  for await (const chunk of readGzip(join(folder, file)).setEncoding('utf8')) chunks.push(chunk);
  const lines = chunks.join('').split('\n').slice(0, -1);
  if (lines.length !== rows) throw new Error(`${join(folder, file)} holds ${lines.length} jobs; there were ${rows}`);
  return lines.map((line) => JSON.parse(line) as QueuedJob);
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'touchstone restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
