import { copyFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import { type BackupManifest, readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { checkFiles, holdsData, readBackup } from '../../adapters/postgres/backup/read-backup.ts';
import { adoptFormerMigrations, toCurrentMigrations } from '../../adapters/postgres/database/former-migrations.ts';
import { withMigrationLock } from '../../adapters/postgres/database/migrate.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import type { Config } from '../../config/env.ts';
import { makeDataDir } from '../../config/keys/credentials.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import type { OnTable } from './back-up.ts';

/** Fills an empty database, and a data folder, from a backup. */
export async function restoreBackup(config: Config, folder: string, onTable?: OnTable): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  const files = manifest.files.map(({ file }) => ({ from: join(folder, file), to: join(config.dataDir, basename(file)) }));
  for (const { to } of files) await refuseExisting(to);
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    await makeDataDir(config.dataDir);
    const server = await openServer(config, log);
    shutdown.add(() => server.stop());
    if (await holdsData(server.url)) throw new Error('the database holds data already; restore into an empty one');
    await fillDatabase(server.url, folder, manifest, { log, shutdown, onTable });
    for (const { from, to } of files) await copyFile(from, to);
    return manifest;
  } finally {
    await shutdown.run();
  }
}

/** The tables as they were when the backup was made; migrations that came since are run by the next start. */
export async function fillDatabase(
  url: string,
  folder: string,
  manifest: BackupManifest,
  { log, shutdown, onTable }: { log: PinoLog; shutdown: ShutdownSequence; onTable?: OnTable | undefined },
): Promise<void> {
  const orm = await openOrm({ url, poolSize: 1 });
  shutdown.add(() => orm.close(true));
  const queues = new PgBossQueues({ url, concurrency: 1, takesJobs: false, log });
  shutdown.add(() => queues.stop(0));
  await withMigrationLock(url, async () => {
    await adoptFormerMigrations(orm);
    const migrations = toCurrentMigrations(manifest.migrations);
    const pending = (await orm.migrator.getPending()).map(({ name }) => name);
    const applied = (await orm.migrator.getExecuted()).map(({ name }) => name);
    const known = new Set([...pending, ...applied]);
    const unknown = migrations.filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new Error(`the backup is of version ${manifest.version}, which is newer than this one (${unknown.join(', ')})`);
    if (applied.some((name) => !migrations.includes(name)))
      throw new Error('the database has a newer schema than the backup; restore into an empty one');
    await orm.migrator.up({ migrations: pending.filter((name) => migrations.includes(name)) });
    await queues.start();
    const enqueue: Parameters<typeof readBackup>[0]['enqueue'] = (sql, jobs) => queues.putBackWithin(sql, jobs);
    await readBackup({ url, folder, manifest, enqueue, ...(onTable && { onTable }) });
  });
}

async function refuseExisting(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new Error(`${path} exists already; restore into an empty data folder, or move it away`);
}

/** Returns the line that tells what has been restored. */
export function describeRestored({ made_at, tables, jobs }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `restored what was there at ${made_at}: ${rows} rows of ${tables.length} tables, checksums equal, ${jobs.rows} jobs`;
}
