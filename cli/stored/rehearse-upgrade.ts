import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import { PostgresAuditStore } from '../../adapters/postgres/access/postgres-audit-store.ts';
import { MANIFEST, readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { checkFiles } from '../../adapters/postgres/backup/read-backup.ts';
import { unlessAborted, withTemporaryDatabase } from '../../adapters/postgres/backup/temporary-database.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { type RehearsedMigrations, rehearseMigrations } from '../../adapters/postgres/database/rehearse-migrations.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import type { Config } from '../../config/env.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import { AuditTrail } from '../../core/access/audit/audit-trail.ts';
import { fillDatabase } from './restore-backup.ts';

export interface UpgradeRehearsal extends RehearsedMigrations {
  readonly backup: string;
  readonly made_at: string;
  /** Of the service that made the backup. */
  readonly version: string;
  /** Before and after the migrations; null where there is no such table. */
  readonly tables: readonly { readonly name: string; readonly before: number | null; readonly after: number | null }[];
  /** Empty when an upgrade would do. */
  readonly faults: readonly string[];
}

/**
 * Restores a backup into a database of its own, brings it up to date with the code at hand, and looks at what came out. The database is
 * dropped in the end. It stands on the server of DATABASE_URL, or on one that is started for it, away from the data folder.
 */
export async function rehearseUpgrade(config: Config, folder: string, signal: AbortSignal): Promise<UpgradeRehearsal> {
  const backup = await findBackup(folder);
  const manifest = await readManifest(backup);
  await checkFiles(backup, manifest);
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-rehearsal-'));
    shutdown.add(() => rm(dataDir, { recursive: true, force: true }));
    const server = await openServer({ ...config, dataDir }, log);
    shutdown.add(() => server.stop());
    const rehearse = async (url: string): Promise<UpgradeRehearsal> => {
      const filling = new ShutdownSequence(log);
      await fillDatabase(url, backup, manifest, log, filling).finally(() => filling.run());
      const { made_at, version } = manifest;
      return { backup, made_at, version, ...(await migrateAndCheck(url)) };
    };
    // The server that is started for it holds one empty database already, and its role may make no other.
    if (config.databaseUrl !== undefined) return await withTemporaryDatabase(server.url, signal, rehearse);
    return await unlessAborted(signal, () => rehearse(server.url));
  } finally {
    await shutdown.run();
  }
}

/** A backup, or the newest of those in a folder. */
async function findBackup(folder: string): Promise<string> {
  const isBackup = (path: string) =>
    stat(join(path, MANIFEST)).then(
      () => true,
      () => false,
    );
  if (await isBackup(folder)) return folder;
  let newest: { path: string; made_at: string } | undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.unfinished') || !(await isBackup(path))) continue;
    const { made_at } = await readManifest(path);
    if (newest === undefined || made_at > newest.made_at) newest = { path, made_at };
  }
  if (newest === undefined) throw new Error(`${folder} is no backup, and holds none`);
  return newest.path;
}

type Outcome = RehearsedMigrations & Pick<UpgradeRehearsal, 'tables' | 'faults'>;

async function migrateAndCheck(url: string): Promise<Outcome> {
  const orm = await openOrm({ url, poolSize: 2 });
  try {
    const session = new PostgresSession({ orm });
    const before = await countRows(session);
    let rehearsed: RehearsedMigrations;
    try {
      rehearsed = await rehearseMigrations(orm);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const tables = [...before].map(([name, rows]) => ({ name, before: rows, after: null }));
      return { migrations: [], locks: [], tables, faults: [`a migration failed: ${why}`] };
    }
    const after = await countRows(session);
    const tables = [...new Set([...before.keys(), ...after.keys()])].sort().map((name) => ({
      name,
      before: before.get(name) ?? null,
      after: after.get(name) ?? null,
    }));
    const faults: string[] = [];
    if ((await orm.schema.getUpdateSchemaSQL()).trim() !== '') faults.push('the schema is not the one that this version expects');
    const auditStore = new PostgresAuditStore({ session });
    const chain = await new AuditTrail({ auditStore, secrets: new NodeSecrets(), clock: () => new Date() }).verify();
    if (chain.broken_at !== null)
      faults.push(`the audit log is broken: line ${chain.broken_at} does not follow on the one before it`);
    return { ...rehearsed, tables, faults };
  } finally {
    await orm.close(true);
  }
}

async function countRows(session: PostgresSession): Promise<Map<string, number>> {
  const names = await session.sql<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const counts = new Map<string, number>();
  for (const { name } of names) {
    const [row] = await session.sql<{ rows: string }>(`select count(*)::text as rows from public.${name}`);
    counts.set(name, Number(row!.rows));
  }
  return counts;
}

/** Returns the lines that tell how a rehearsal went. */
export function describeRehearsal({ backup, made_at, version, migrations, locks, tables, faults }: UpgradeRehearsal): string {
  const changed = tables.filter(({ before, after }) => before !== after);
  const rows = tables.reduce((sum, { before }) => sum + (before ?? 0), 0);
  return [
    `${backup} of ${made_at}, version ${version}: ${rows} rows of ${tables.length} tables`,
    ...migrations.map(({ name, ms }) => `${name}: ${ms} ms`),
    ...locks.map(
      ({ table, mode, blocks, migration, held_ms }) =>
        `${table}: ${mode} for ${held_ms} ms at most, taken by ${migration}; keeps back ${blocks}`,
    ),
    ...changed.map(({ name, before, after }) => `${name}: ${before ?? 'no'} rows before, ${after ?? 'no'} after`),
    ...(migrations.length === 0 && faults.length === 0 ? ['nothing to migrate'] : []),
    ...(faults.length === 0 ? ['the upgrade would do'] : faults.map((fault) => `fault: ${fault}`)),
  ].join('\n');
}
