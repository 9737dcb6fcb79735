import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type NewServer, startServer } from './new-server.ts';
import { settleOldServer } from './old-server.ts';
import { readOrCreatePassword } from './password-file.ts';
import { choosePlacement, type Machine, type Placement, rememberPlacement, thisMachine } from './placement.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { adminUrl } from './server-connection.ts';
import { ServerLog } from './server-log.ts';
import { type RunningServer, stopServer } from './server-process.ts';
import { ensureServiceRole, serviceUrl } from './service-role.ts';
import { startFailure } from './start-failure.ts';

/** A PostgreSQL server of our own, on this machine. */
export interface EmbeddedPostgres {
  /** As the owner of the database, who has no other rights. */
  readonly url: string;
  /** As superuser: not for the service. */
  readonly adminUrl: string;
  /** true when a server left by a killed process was taken over. */
  readonly adopted: boolean;
  /** Calls back, with the reason in words, when the server ends without `stop()`. */
  onExit(listener: (why: string) => void): void;
  /** Ends connections and server. Resolves when the server is gone, rejects when it does not go. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresSettings {
  /** Absolute. Created when missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** Further server settings, such as fsync off in tests. */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

interface StartedServer extends RunningServer {
  readonly adopted: boolean;
}

const RESTART_MILLIS = 15_000;
const TRIM_MILLIS = 600_000;

/**
 * Starts the server of a data folder, or takes over the one that a killed process left there. Rejects with a message
 * for the operator. One process at a time has the folder; a second one is refused.
 */
export async function startEmbeddedPostgres(
  settings: EmbeddedPostgresSettings,
  surroundings: Machine = thisMachine,
): Promise<EmbeddedPostgres> {
  try {
    const dataDir = await openDataFolder(settings.dataDir);
    const placement = await choosePlacement(dataDir, await findBinaries(), settings.log, surroundings);
    const lock = lockFolder(`${placement.cluster}.lock`, dataDir);
    return await startLocked({ ...settings, dataDir }, placement, lock).catch((error: unknown) => {
      lock.release();
      throw error;
    });
  } catch (error) {
    throw startFailure(error, settings.dataDir);
  }
}

/** As root, others may pass through a folder we make, or the server's user could not get to his cluster in it; nobody may look. */
async function openDataFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const dataDir = await realpath(path);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  return dataDir;
}

async function startLocked(
  settings: EmbeddedPostgresSettings,
  placement: Placement,
  lock: FolderLock,
): Promise<EmbeddedPostgres> {
  const { dataDir, log, serverSettings: extraSettings = {} } = settings;
  const password = await readOrCreatePassword(join(dataDir, 'postgres.password'), placement.cluster);
  const created = await ensureCluster({ ...placement, password, sync: extraSettings.fsync !== 'off' });
  await rememberPlacement(dataDir, placement.cluster, log);
  const serverLog = new ServerLog(join(dataDir, 'postgres.log'));
  const server = await findOrStart({ ...placement, password, serverLog, log, extraSettings });
  const address = { port: server.port, password };
  await ensureServiceRole(address).catch(async (error: unknown) => {
    await stopServer(server, placement.binaries);
    throw error;
  });
  log.info('database server is running', { pid: server.pid, port: server.port, created, adopted: server.adopted });

  const trimming = setInterval(() => void serverLog.trim().catch(() => undefined), TRIM_MILLIS).unref();
  let stopping: Promise<void> | undefined;
  return {
    url: serviceUrl(address),
    adminUrl: adminUrl(address),
    adopted: server.adopted,
    onExit: (listener) => server.onEnd((why) => stopping ?? listener(why)),
    stop: () => {
      clearInterval(trimming);
      stopping ??= stopServer(server, placement.binaries).finally(() => lock.release());
      return stopping;
    },
  };
}

async function findOrStart(wanted: NewServer): Promise<StartedServer> {
  const startedAt = Date.now();
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    const old = await settleOldServer(wanted);
    if (old) return { ...old, adopted: true };
    try {
      return { ...(await startServer(wanted)), adopted: false };
    } catch (error) {
      // A postmaster.pid that is still there: the new server met what is left of an old one, which may need a moment.
      if (!(await readPostmasterFile(wanted.cluster)) || Date.now() - startedAt > RESTART_MILLIS) throw error;
    }
    await sleep(wait);
  }
}
