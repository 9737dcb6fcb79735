import { chmod, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardDataFolder } from '../../adapters/embedded-postgres/discard-data-folder.ts';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import type { BackupManifest } from '../../adapters/postgres/backup/manifest.ts';
import { unlessAborted, withTemporaryDatabase } from '../../adapters/postgres/backup/temporary-database.ts';
import type { Config } from '../../config/env.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { openServer } from '../../config/storage/database.ts';
import type { OnTable } from './back-up.ts';
import { fillDatabase } from './restore-backup.ts';

const FOLDER = 'touchstone-rehearsal-';
/** A data folder that no living process has after so long was left behind by one that was killed. */
const LEFT_AFTER_MS = 600_000;

/**
 * Runs `work` on an empty database that is taken away in the end, whatever comes of it: on the server of DATABASE_URL, or on one that is
 * started for it, away from the data folder. What earlier runs left behind that were killed is removed first.
 */
export async function withRehearsalDatabase<T>(
  config: Config,
  signal: AbortSignal,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const log = new PinoLog(config.logLevel);
  if (config.databaseUrl !== undefined) return withTemporaryDatabase((await openServer(config, log)).url, signal, work);
  await discardLeftOvers(log);
  const shutdown = new ShutdownSequence(log);
  try {
    const dataDir = await mkdtemp(join(tmpdir(), FOLDER));
    shutdown.add(() => discardDataFolder(dataDir, log));
    // As root, the server runs as another user, who has to get through to his cluster.
    if (process.getuid?.() === 0) await chmod(dataDir, 0o711);
    const server = await openServer({ ...config, dataDir }, log);
    shutdown.add(() => server.stop());
    // It holds one empty database already, and its role may make no other.
    return await unlessAborted(signal, () => work(server.url));
  } finally {
    await shutdown.run();
  }
}

/** Fills it with a backup; the schema is that of the backup. */
export async function fillRehearsal(
  config: Config,
  url: string,
  { backup, manifest, onTable }: { backup: string; manifest: BackupManifest; onTable?: OnTable | undefined },
): Promise<void> {
  const log = new PinoLog(config.logLevel);
  const filling = new ShutdownSequence(log);
  await fillDatabase(url, backup, manifest, { log, shutdown: filling, onTable }).finally(() => filling.run());
}

async function discardLeftOvers(log: PinoLog): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER)) continue;
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    if (found.mtimeMs > Date.now() - LEFT_AFTER_MS) continue;
    const discarded = await discardDataFolder(path, log).catch((error: unknown) => {
      log.warn('what a killed rehearsal left behind cannot be removed', { folder: path, error: String(error) });
    });
    if (discarded) log.info('removed what a killed rehearsal had left behind', { folder: path });
  }
}
