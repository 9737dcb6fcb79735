import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queryAt } from '../setup/query-at.ts';

/** Asks the database that a service keeps in its data folder, past the service. */
export async function queryOwn<Row extends object>(dataDir: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return queryAt<Row>(`postgres://touchstone:${password}@127.0.0.1:${lines[3]}/touchstone`, sql, values);
}

export interface StoredScores {
  readonly rows: number;
  readonly records: number;
}

/** How many results of a scorer version are stored, and of how many records. */
export async function storedScores(dataDir: string, version: string): Promise<StoredScores> {
  const counts =
    'select count(*)::int as rows, count(distinct record_id)::int as records from scores where scorer_version_id = $1';
  return (await queryOwn<StoredScores>(dataDir, counts, [version]))[0]!;
}
