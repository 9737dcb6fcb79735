import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { copyOut } from './copy-stream.ts';
import { computeSha256, writeGzip } from './hashed-file.ts';
import { type BackupManifest, type BackupTable, MANIFEST } from './manifest.ts';
import { checksumTable, TEXT_SETTINGS, toList } from './table-sums.ts';

export interface BackupSettings {
  readonly url: string;
  /** Where the backup is made; must not exist. */
  readonly folder: string;
  readonly version: string;
  /** Files of the data folder that belong to it; those that do not exist are left out. */
  readonly files: readonly string[];
  /** Told how many tables are done, of how many. */
  onTable?(done: number, total: number): void;
}

/**
 * Writes everything the service keeps into a folder, as of one moment, while the service goes on. The folder gets its
 * name when it is complete. Rejects when anything cannot be read or written, and leaves nothing behind.
 */
export async function writeBackup({ url, folder, version, files, onTable }: BackupSettings): Promise<BackupManifest> {
  if (await exists(folder)) throw new Error(`${folder} exists already`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  const client = new Client({ connectionString: url, application_name: 'touchstone backup' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const contents = await copyDatabase(client, unfinished, onTable);
    const kept = await copyFiles(files, unfinished);
    const manifest: BackupManifest = { format: 1, version, made_at: new Date().toISOString(), ...contents, files: kept };
    await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(unfinished, folder);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Contents = Pick<BackupManifest, 'migrations' | 'tables' | 'sequences' | 'jobs'>;

/** In one snapshot. Sequences stand outside of it and are read last, when they can only be ahead. */
async function copyDatabase(client: Client, folder: string, onTable: BackupSettings['onTable']): Promise<Contents> {
  await client.query(TEXT_SETTINGS);
  await client.query('begin isolation level repeatable read, read only');
  const migrations = await client.query<{ name: string }>('select name from schema_migrations order by id');
  const tables: BackupTable[] = [];
  const named = await toTables(client);
  for (const { name, columns } of named) {
    onTable?.(tables.length, named.length);
    tables.push(await copyTable(client, folder, name, columns));
  }
  const jobs = await copyJobs(client, folder);
  await client.query('commit');
  const { rows: sequences } = await client.query<BackupManifest['sequences'][number]>(sequenceStates(await toSequences(client)));
  return { migrations: migrations.rows.map(({ name }) => name), tables, sequences, jobs };
}

async function toTables(client: Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migrations'
     group by c.relname order by c.relname`,
  );
  return rows;
}

async function copyTable(client: Client, folder: string, name: string, columns: readonly string[]): Promise<BackupTable> {
  const file = `tables/${name}.copy.gz`;
  const rows = copyOut(client, `copy ${escapeIdentifier(name)} (${toList(columns)}) to stdout`);
  const sha256 = await writeGzip(join(folder, file), rows);
  return { name, columns: [...columns], file, sha256, ...(await checksumTable(client, name, columns)) };
}

/** As lines of JSON: the tables of the queue belong to its library, which may have changed them by the time of a restore. */
async function copyJobs(client: Client, folder: string): Promise<BackupManifest['jobs']> {
  const { rows } = await client.query<{ name: string; data: unknown }>(
    "select name, data from pgboss.job where state < 'completed' order by created_on, id",
  );
  const file = 'jobs.jsonl.gz';
  const lines = rows.map(({ name, data }) => `${JSON.stringify({ name, data })}\n`);
  return { file, sha256: await writeGzip(join(folder, file), lines), rows: rows.length };
}

async function toSequences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations_id_seq' order by relname",
  );
  return rows.map(({ name }) => name);
}

const sequenceStates = (names: readonly string[]): string =>
  names
    .map((name) => `select '${name}' as name, last_value::text as value, is_called from ${escapeIdentifier(name)}`)
    .join(' union all ');

async function copyFiles(paths: readonly string[], folder: string): Promise<BackupManifest['files']> {
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const kept: BackupManifest['files'] = [];
  for (const path of paths) {
    if (!(await exists(path))) continue;
    const file = `data/${basename(path)}`;
    await copyFile(path, join(folder, file));
    kept.push({ file, sha256: await computeSha256(join(folder, file)) });
  }
  return kept;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
