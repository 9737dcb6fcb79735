import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { adoptFormerMigrations } from './former-migrations.ts';

/** Any number that other programs on the same database are unlikely to lock: the first bytes of "touchstone". */
const LOCK = '8390880564268297327';
const CONNECT_MS = 2_000;
const OLDEST_VERSION = 15;

/**
 * Runs `work` while no other instance does. The lock belongs to a transaction of its own connection, so that an
 * instance that dies cannot leave it behind.
 */
export async function withMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'touchstone migration',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1::bigint)', [LOCK]);
    const result = await work();
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

/** Brings the schema up to date and returns the names of the migrations that this took. Call it under the migration lock. */
export async function migrate(orm: MikroORM): Promise<string[]> {
  await adoptFormerMigrations(orm);
  return (await orm.migrator.up()).map(({ name }) => name);
}

/** Returns the reasons not to trust this server with data; empty when there are none. Rejects when it cannot be reached. */
export async function serverWarnings(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<ServerState>(
      `select current_setting('server_version_num') as version, current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit`,
    );
    return warningsAbout(rows[0]!);
  } finally {
    await client.end();
  }
}

/** Settings of a server, by their PostgreSQL names. */
export interface ServerState {
  readonly version: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
}

/** Throws when the server is older than what the statements need. */
export function warningsAbout({ version, ...durability }: ServerState): string[] {
  const major = Math.floor(Number(version) / 10_000);
  if (major < OLDEST_VERSION) throw new Error(`PostgreSQL ${major} is too old: ${OLDEST_VERSION} or newer is needed`);
  return Object.entries(durability)
    .filter(([, value]) => value === 'off' || value === 'local')
    .map(([name, value]) => `${name} is ${value}: acknowledged records may be lost when the server fails`);
}
