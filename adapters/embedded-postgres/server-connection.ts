import { realpath } from 'node:fs/promises';
import { Client, DatabaseError } from 'pg';

/** Name of both the owner role and the database. */
export const OWNER = 'touchstone';

export interface ServerAddress {
  readonly port: number;
  readonly password: string;
}

/**
 * `ready`: our server answers. `starting`: it is there but takes no connections yet, or no longer. `silent`: nothing
 * useful listens. `foreign`: something listens that does not know us or serves other data.
 */
export type Answer = 'ready' | 'starting' | 'silent' | 'foreign';

const CANNOT_CONNECT_NOW = '57P03';
const INVALID_CATALOG_NAME = '3D000';
const DUPLICATE_DATABASE = '42P04';
/** All codes of a refused login begin so. */
const INVALID_AUTHORIZATION = '28';

export function databaseUrl({ port, password }: ServerAddress, database = OWNER): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Asks the server at `address` a real question, and creates our database when it has none yet. */
export async function askServer(address: ServerAddress, cluster: string): Promise<Answer> {
  try {
    const [row] = await query(databaseUrl(address), "select current_setting('data_directory') as folder");
    return (await samePath(String(row?.folder), cluster)) ? 'ready' : 'foreign';
  } catch (error) {
    if (!(error instanceof DatabaseError)) return 'silent';
    if (error.code === CANNOT_CONNECT_NOW) return 'starting';
    if (error.code?.startsWith(INVALID_AUTHORIZATION)) return 'foreign';
    if (error.code !== INVALID_CATALOG_NAME) return 'silent';
  }
  await createDatabase(address);
  return askServer(address, cluster);
}

async function createDatabase(address: ServerAddress): Promise<void> {
  await query(databaseUrl(address, 'postgres'), `create database ${OWNER}`).catch((error: unknown) => {
    if (!(error instanceof DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
  });
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 10_000 });
  // The server may go away at any moment; without a listener that would end our process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function samePath(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([left, right].map((path) => realpath(path).catch(() => path)));
  return a === b;
}
