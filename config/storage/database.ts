import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { isUnavailable } from '../../adapters/postgres/database/database-failure.ts';
import { DatabaseSockets } from '../../adapters/postgres/database/database-sockets.ts';
import { migrate, serverWarnings, withMigrationLock } from '../../adapters/postgres/database/migrate.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { checkPooler } from '../../adapters/postgres/database/pooler.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { Config } from '../env.ts';
import { RevivedServer } from './revived-server.ts';

export interface DatabaseServer {
  readonly url: string;
  /** Calls back, with the reason, when a server of our own ended without being asked to and cannot be had again. */
  onGone(listener: (why: string) => void): void;
  stop(): Promise<void>;
}

const REACH_MS = 10_000;
const POOL_SIZE = 10;
const JOBS_AT_ONCE = 2;

/** The user's own server, or one of ours as a child process. */
export async function openServer(config: Config, log: Log): Promise<DatabaseServer> {
  if (config.databaseUrl === undefined) return RevivedServer.start({ dataDir: config.dataDir, log });
  await reach(config.databaseUrl);
  return { url: config.databaseUrl, onGone: () => {}, stop: async () => {} };
}

async function reach(url: string): Promise<void> {
  for (const deadline = Date.now() + REACH_MS; ; await sleep(500)) {
    try {
      await serverWarnings(url);
      return;
    } catch (cause) {
      if (isUnavailable(cause) && Date.now() < deadline) continue;
      const { host, pathname } = new URL(url);
      const why = cause instanceof Error ? cause.message || ((cause as { code?: string }).code ?? cause.name) : String(cause);
      throw new Error(`the database ${pathname.slice(1)} at ${host} cannot be used: ${why}`, { cause });
    }
  }
}

export interface Database {
  readonly orm: MikroORM;
  readonly queues: PgBossQueues;
  /** Of all connections that requests and jobs use. */
  readonly sockets: DatabaseSockets;
}

export interface DatabaseSettings {
  readonly url: string;
  /** A pooler in transaction mode before it, for requests and jobs. What needs a session of its own goes to the database itself. */
  readonly poolerUrl?: string | undefined;
  /** Whether this process takes jobs, or only adds them. */
  readonly takesJobs: boolean;
  readonly log: Log;
}

/** Opens the database and brings its schema up to date. Returns what `first` does, which runs under the same lock once the schema is there. */
export async function openDatabase<T>(
  { url, poolerUrl, takesJobs, log }: DatabaseSettings,
  first: (database: Database) => Promise<T>,
): Promise<T> {
  for (const warning of await serverWarnings(url)) log.warn(warning);
  const sockets = new DatabaseSockets();
  const orm = await openOrm({
    url: poolerUrl ?? url,
    poolSize: POOL_SIZE,
    stream: sockets.make,
    isPooled: poolerUrl !== undefined,
  });
  const queues = new PgBossQueues({ url, concurrency: JOBS_AT_ONCE, takesJobs, stream: sockets.make, log });
  return withMigrationLock(url, async () => {
    for (const migration of await (poolerUrl === undefined ? migrate(orm) : migrateDirectly(url)))
      log.info('schema migrated', { migration });
    if (poolerUrl !== undefined) await checkPooler(orm, url);
    await queues.start();
    return first({ orm, queues, sockets });
  });
}

/** A migration is one transaction and may take longer than a pooler waits. */
async function migrateDirectly(url: string): Promise<string[]> {
  const orm = await openOrm({ url, poolSize: 1 });
  return migrate(orm).finally(() => orm.close(true));
}
