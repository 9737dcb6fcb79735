import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findFreePort } from './free-port.ts';
import { readOrCreatePassword } from './password-file.ts';
import { askServer, databaseUrl } from './server-connection.ts';
import { ServerLog } from './server-log.ts';
import { type ServerProcess, signalServer, spawnServer } from './server-process.ts';
import { serverSettings } from './server-settings.ts';
import { chooseServerUser } from './server-user.ts';

/** A PostgreSQL server of our own, on this machine. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** true when a server left by a killed process was taken over. */
  readonly adopted: boolean;
  /** Calls back when the server ends without `stop()`. */
  onExit(listener: (why: string) => void): void;
  /** Ends connections and server; resolves when the server is gone. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresSettings {
  /** Absolute. */
  readonly dataDir: string;
  readonly log: Log;
  /** Further server settings, such as fsync off in tests. */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const { dataDir } = settings;
  const binaries = await findBinaries();
  const user = process.getuid?.() === 0 ? chooseServerUser(await readFile('/etc/passwd', 'utf8')) : undefined;
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const cluster = join(dataDir, 'postgres');
  const lock = lockFolder(join(dataDir, 'postgres.lock'), dataDir);
  try {
    const password = await readOrCreatePassword(join(dataDir, 'postgres.password'));
    await ensureCluster({ cluster, binaries, user, password, sync: settings.serverSettings?.fsync !== 'off' });
    if (user) await chown(cluster, user.uid, user.gid);
    const port = await findFreePort();
    const serverLog = new ServerLog(join(dataDir, 'postgres.log'));
    const server = await spawnServer({
      binaries,
      user,
      cluster,
      settings: { ...serverSettings(cluster, port), ...settings.serverSettings },
      serverLog,
    });
    for (let wait = 5; (await askServer({ port, password }, cluster)) !== 'ready'; wait = Math.min(wait * 1.5, 100)) {
      if (server.ended()) throw new Error(`PostgreSQL did not start, it ${server.ended()}: ${await serverLog.lastLines()}`);
      await sleep(wait);
    }
    let stopping: Promise<void> | undefined;
    return {
      url: databaseUrl({ port, password }),
      adopted: false,
      onExit: (listener) => server.onEnd((why) => stopping ?? listener(why)),
      stop: () => {
        stopping ??= stopServer(server, binaries).finally(() => lock.release());
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function stopServer(server: ServerProcess, binaries: Binaries): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (server.ended()) return;
    await signalServer(server.pid, signal, binaries);
    const ended = new Promise<void>((resolve) => server.onEnd(() => resolve()));
    const giveUp = new AbortController();
    await Promise.race([ended, sleep(20_000, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
    giveUp.abort();
  }
}
