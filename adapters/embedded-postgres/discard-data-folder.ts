import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../core/kernel/ports.ts';
import { findBinaries } from './binaries.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { settleOldServer } from './old-server.ts';
import { readOrCreatePassword } from './password-file.ts';
import { computeCluster } from './placement.ts';
import { stopServer } from './server-process.ts';

/**
 * Removes a data folder and its cluster, wherever that is. A server that a killed process left in it is ended first. Returns false, and
 * removes nothing, while a living process has the folder.
 */
export async function discardDataFolder(folder: string, log: Log): Promise<boolean> {
  const dataDir = await realpath(folder);
  const cluster = await computeCluster(dataDir);
  if (cluster !== undefined) {
    const lock = tryToLock(`${cluster}.lock`, dataDir);
    if (lock === undefined) return false;
    try {
      await endServer(dataDir, cluster, log);
      await rm(cluster, { recursive: true, force: true });
    } finally {
      lock.release();
    }
    await rm(`${cluster}.lock`, { force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
  return true;
}

function tryToLock(file: string, folder: string): FolderLock | undefined {
  try {
    return lockFolder(file, folder);
  } catch {
    return undefined;
  }
}

async function endServer(dataDir: string, cluster: string, log: Log): Promise<void> {
  const binaries = await findBinaries();
  const password = await readOrCreatePassword(join(dataDir, 'postgres.password'), cluster);
  const server = await settleOldServer({ cluster, password, binaries, log });
  if (server) await stopServer(server, binaries);
}
