import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningServer } from '../../adapters/embedded-postgres/running-server.ts';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import type { BackupManifest } from '../../adapters/postgres/backup/manifest.ts';
import { writeBackup } from '../../adapters/postgres/backup/write-backup.ts';
import { awaitReplay } from '../../adapters/postgres/database/replica/await-replay.ts';
import type { Config } from '../../config/env.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';

/** Files of the data folder beside the database that cannot be made again. */
const KEPT_FILES = ['credentials.json', 'secret-keys.json'];
/** How long a replica may take to catch up before a backup begins. */
const REPLAY_MS = 60_000;

/** Told how many tables are done, of how many. */
export type OnTable = (done: number, total: number) => void;

/** Writes a backup of a service that runs, or of one that does not; from its replica where it has one. */
export async function backUp(config: Config, folder: string, onTable?: OnTable): Promise<BackupManifest> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  try {
    const running = config.databaseUrl ?? (await findRunningServer(config.dataDir));
    let url = running;
    if (url === undefined) {
      const server = await openServer(config, log);
      shutdown.add(() => server.stop());
      url = server.url;
    }
    if (config.replica) {
      await awaitReplay({ primaryUrl: url, replicaUrl: config.replica.url, limitMs: REPLAY_MS });
      url = config.replica.url;
    }
    const files = KEPT_FILES.map((name) => join(config.dataDir, name));
    return await writeBackup({ url, folder, version, files, ...(onTable && { onTable }) });
  } finally {
    await shutdown.run();
  }
}

/** Returns the lines that tell what a backup holds. */
export function describeBackup(folder: string, { tables, jobs, files }: BackupManifest): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const counts = `${folder}: ${rows} rows of ${tables.length} tables, ${jobs.rows} jobs, ${files.length} files of the data folder`;
  if (files.length === 0) return [counts];
  return [counts, 'it holds the keys that secrets are encrypted by: keep it as safe as the database itself'];
}
