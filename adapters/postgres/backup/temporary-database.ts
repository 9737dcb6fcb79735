import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const PREFIX = 'touchstone_rehearsal_';
/** Names say when they were made, in seconds since 1970: PostgreSQL tells nobody but a superuser how old a database is. */
const NAME = `^${PREFIX}\\d{10}_[0-9a-f]{16}$`;
/** One that nobody is connected to after so long was left behind by a process that was killed. */
const LEFT_AFTER_SECONDS = 600;
const OBJECT_IN_USE = '55006';
const UNKNOWN_DATABASE = '3D000';
const INSUFFICIENT_PRIVILEGE = '42501';
const MOST_TRIES = 30;
const AGAIN_MS = 200;

/**
 * Runs `work` on a new, empty database of the server that `url` leads to, and drops it whatever comes of that. Rejects as soon as `signal`
 * is aborted; dropping ends the connections of work that goes on. Databases that killed processes left behind are dropped first.
 */
export async function withTemporaryDatabase<T>(url: string, signal: AbortSignal, work: (url: string) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  await dropLeftOvers(url);
  const name = `${PREFIX}${toSeconds(Date.now())}_${randomBytes(8).toString('hex')}`;
  const temporary = new URL(url);
  temporary.pathname = `/${name}`;
  try {
    await withClient(url, (client) => client.query(`create database ${name}`));
    // One connection stays open all the time: by it others see that the database is in use, between two steps of the work too.
    return await withClient(temporary.href, () => unlessAborted(signal, () => work(temporary.href)));
  } finally {
    await withClient(url, (client) => drop(client, name));
  }
}

/** Autovacuum may be at work there, which only a superuser may end; it ends by itself, and soon. */
async function drop(client: Client, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (![INSUFFICIENT_PRIVILEGE, OBJECT_IN_USE].includes(code) || tries === MOST_TRIES) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** Drops what `withTemporaryDatabase` made in processes that were killed: old databases of this role that nobody is connected to. Returns their names. */
export async function dropLeftOvers(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database d
       where datname ~ $1 and substr(datname, $2, 10)::bigint < $3 and pg_get_userbyid(datdba) = current_user
         and not exists (select from pg_stat_activity a where a.datid = d.oid)
       order by datname`,
      [NAME, PREFIX.length + 1, toSeconds(Date.now()) - LEFT_AFTER_SECONDS],
    );
    const dropped: string[] = [];
    for (const { name } of rows) if (await dropUnused(client, name)) dropped.push(name);
    return dropped;
  });
}

/** Without force: whoever has connected meanwhile, or dropped it before us, is right. */
async function dropUnused(client: Client, name: string): Promise<boolean> {
  try {
    await client.query(`drop database ${name}`);
    return true;
  } catch (error) {
    if ([OBJECT_IN_USE, UNKNOWN_DATABASE].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

/** Rejects as soon as `signal` is aborted, and leaves the work to whoever takes away what it works on. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'touchstone rehearsal' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
