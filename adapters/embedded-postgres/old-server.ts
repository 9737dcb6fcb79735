import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';
import type { Binaries } from './binaries.ts';
import { type PostmasterFile, readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { isServerOf, processesIn } from './process-table.ts';
import { askServer } from './server-connection.ts';
import { type RunningServer, stopServer, watchProcess } from './server-process.ts';

export interface OldServerSearch {
  readonly cluster: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly log: Log;
}

/** How long a server that says nothing, or what is left of a dead one, may still need. */
const PATIENCE_MILLIS = 15_000;
/** A server that says it is starting may have to replay much of its log. */
const RECOVERY_MILLIS = 600_000;

/**
 * Deals with a server that an earlier, killed process left behind: resolves to it when it is well, otherwise stops it
 * or waits until it is gone. The caller holds the folder's lock, so no living process of ours uses that server.
 */
export async function settleOldServer(search: OldServerSearch): Promise<RunningServer | undefined> {
  const startedAt = Date.now();
  for (let wait = 10; ; wait = Math.min(wait * 2, 500)) {
    const file = await readPostmasterFile(search.cluster);
    if (!file) return undefined;
    const waited = Date.now() - startedAt;
    if (await isServerOf(file.pid, search.cluster)) {
      const server = await adoptOrStop(search, file, waited);
      if (server) return server;
    } else if (await isVacant(search, waited)) {
      return undefined;
    }
    await sleep(wait);
  }
}

async function adoptOrStop(search: OldServerSearch, file: PostmasterFile, waited: number): Promise<RunningServer | undefined> {
  const { cluster, password, binaries, log } = search;
  const answer = file.port ? await askServer({ port: file.port, password }, cluster) : 'silent';
  if (answer === 'ready' && file.port) return { ...watchProcess(file.pid), port: file.port };
  if (answer === 'foreign' || waited > (answer === 'starting' ? RECOVERY_MILLIS : PATIENCE_MILLIS)) {
    log.warn('stopping a database server that an earlier run left and that does not answer', { pid: file.pid });
    await stopServer(watchProcess(file.pid), binaries);
  }
  return undefined;
}

/** Whether a new server may start where an old one has died. */
async function isVacant({ cluster, log }: OldServerSearch, waited: number): Promise<boolean> {
  const rest = await processesIn(cluster);
  // The system does not tell: PostgreSQL's own check decides.
  if (rest === undefined) return true;
  if (rest.length === 0) {
    log.warn('the database server was not stopped properly last time; its data are recovered', { folder: cluster });
    await removePostmasterFile(cluster);
    return true;
  }
  if (waited > PATIENCE_MILLIS) throw new Error(`processes of a killed database server still use ${cluster}: ${rest.join(', ')}`);
  return false;
}
