import { join } from 'node:path';
import { type FolderLock, lockFolder } from '../../adapters/embedded-postgres/folder-lock.ts';
import { type BackupManifest, readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { findDamagedFiles } from '../../adapters/postgres/backup/read-backup.ts';
import { isUnavailable } from '../../adapters/postgres/database/database-failure.ts';
import type { Config } from '../../config/env.ts';
import { makeDataDir } from '../../config/keys/credentials.ts';
import {
  type BackupVerification,
  keepBackupVerification,
  readBackupVerification,
} from '../../config/storage/backup-verification.ts';
import type { OnTable } from './back-up.ts';
import { findBackup } from './find-backup.ts';
import { migrateAndCheck } from './migrate-and-check.ts';
import { fillRehearsal, withRehearsalDatabase } from './rehearsal-database.ts';

interface Source {
  readonly backup: string;
  readonly manifest: BackupManifest;
  readonly onTable: OnTable | undefined;
}

type Outcome = Pick<BackupVerification, 'result' | 'faults'>;

const NO_BACKUP = { backup: null, made_at: null, version: null, tables: 0, rows: 0 };

/**
 * Restores the newest backup of a folder into a database of its own, brings it up to date, and compares it with its manifest. What came of
 * it is kept in the data folder, for the metrics of the service. Rejects, and keeps nothing, when `signal` is aborted, and while another
 * verification with this data folder is under way.
 */
export async function verifyBackup(
  config: Config,
  folder: string,
  signal: AbortSignal,
  onTable?: OnTable,
): Promise<BackupVerification> {
  await makeDataDir(config.dataDir);
  const lock = lockVerification(config.dataDir);
  try {
    const started_at = new Date().toISOString();
    const before = await readBackupVerification(config.dataDir);
    const { about, outcome } = await verifyNewest(config, folder, signal, onTable);
    const finished_at = new Date().toISOString();
    const { backup, made_at } = about;
    const isGood = outcome.result === 'good' && backup !== null && made_at !== null;
    const last_good = isGood ? { backup, made_at, finished_at } : (before?.last_good ?? null);
    const verification = { ...about, ...outcome, started_at, finished_at, last_good };
    await keepBackupVerification(config.dataDir, verification);
    return verification;
  } finally {
    lock.release();
  }
}

function lockVerification(dataDir: string): FolderLock {
  try {
    return lockFolder(join(dataDir, 'backup-verification.lock'), dataDir);
  } catch (cause) {
    throw new Error(`another verification with the data folder ${dataDir} is under way`, { cause });
  }
}

async function verifyNewest(config: Config, folder: string, signal: AbortSignal, onTable: OnTable | undefined) {
  let backup: string;
  let manifest: BackupManifest;
  try {
    backup = await findBackup(folder);
    manifest = await readManifest(backup);
  } catch (error) {
    // A refusal of the system says nothing of the backup.
    const isRefused = error instanceof Error && 'code' in error;
    return { about: NO_BACKUP, outcome: isRefused ? notVerified(error) : bad(describe(error)) };
  }
  const { made_at, version, tables } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const about = { backup, made_at, version, tables: tables.length, rows };
  return { about, outcome: await verify(config, { backup, manifest, onTable }, signal) };
}

async function verify(config: Config, source: Source, signal: AbortSignal): Promise<Outcome> {
  const damaged = await findDamagedFiles(source.backup, source.manifest);
  if (damaged.length > 0) return bad(...damaged);
  try {
    return await withRehearsalDatabase(config, signal, (url) => restoreAndCheck(config, url, source));
  } catch (error) {
    signal.throwIfAborted();
    return notVerified(error);
  }
}

/** Rejects with what says nothing of the backup: that the server went away, or has no room. */
async function restoreAndCheck(config: Config, url: string, source: Source): Promise<Outcome> {
  try {
    await fillRehearsal(config, url, source);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return bad(describe(error));
  }
  const { tables, faults } = await migrateAndCheck(url);
  const all = [...findDifferences(tables, source.manifest), ...faults];
  return all.length === 0 ? { result: 'good', faults: [] } : bad(...all);
}

/** Tells of each table whose rows are not those of the manifest, also of one that the manifest does not know and that should be in it. */
function findDifferences(tables: readonly { name: string; before: number | null }[], manifest: BackupManifest): string[] {
  const restored = tables.filter(({ name, before }) => before !== null && name !== 'schema_migrations');
  const expected = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  return restored
    .filter(({ name, before }) => expected.get(name) !== before)
    .map(({ name, before }) => `table ${name} has ${before} rows, ${expected.get(name) ?? 'and no place'} in the manifest`);
}

const bad = (...faults: string[]): Outcome => ({ result: 'bad', faults });

const notVerified = (error: unknown): Outcome => ({ result: 'not_verified', faults: [describe(error)] });

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const TITLES: Readonly<Record<BackupVerification['result'], string>> = {
  good: 'the backup is good',
  bad: 'the backup is bad',
  not_verified: 'the backup could not be verified',
};

/** Returns the lines that tell what came of it. */
export function describeVerification({ result, backup, made_at, version, tables, rows, faults }: BackupVerification): string {
  const what = backup === null ? [] : [`${backup} of ${made_at}, version ${version}: ${rows} rows of ${tables} tables`];
  return [...what, ...faults.map((fault) => `fault: ${fault}`), TITLES[result]].join('\n');
}
