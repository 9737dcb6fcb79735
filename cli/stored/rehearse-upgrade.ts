import { readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { checkFiles } from '../../adapters/postgres/backup/read-backup.ts';
import type { Config } from '../../config/env.ts';
import type { OnTable } from './back-up.ts';
import { findBackup } from './find-backup.ts';
import { type MigratedDatabase, migrateAndCheck } from './migrate-and-check.ts';
import { fillRehearsal, withRehearsalDatabase } from './rehearsal-database.ts';

export interface UpgradeRehearsal extends MigratedDatabase {
  readonly backup: string;
  readonly made_at: string;
  /** Of the service that made the backup. */
  readonly version: string;
}

/**
 * Restores a backup into a database of its own, brings it up to date with the code at hand, and looks at what came out. The database is
 * dropped in the end.
 */
export async function rehearseUpgrade(
  config: Config,
  folder: string,
  signal: AbortSignal,
  onTable?: OnTable,
): Promise<UpgradeRehearsal> {
  const backup = await findBackup(folder);
  const manifest = await readManifest(backup);
  await checkFiles(backup, manifest);
  return withRehearsalDatabase(config, signal, async (url) => {
    await fillRehearsal(config, url, { backup, manifest, onTable });
    const { made_at, version } = manifest;
    return { backup, made_at, version, ...(await migrateAndCheck(url)) };
  });
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
