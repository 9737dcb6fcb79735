import { realpath } from 'node:fs/promises';
import { Client, DatabaseError } from 'pg';

/** The superuser that initdb makes, for set-up alone. */
export const ADMIN_ROLE = 'touchstone';
export const DATABASE = 'touchstone';
const QUERY_MILLIS = 10_000;

export interface ServerAddress {
  readonly port: number;
  /** Of the superuser. */
  readonly password: string;
}

/**
 * `ready`: our server responds. `starting`: it is there but takes no connections yet, or no longer. `silent`: nothing
 * useful listens. `foreign`: something listens that does not know us or serves other data.
 */
export type Answer = 'ready' | 'starting' | 'silent' | 'foreign';

const CANNOT_CONNECT_NOW = '57P03';
const INVALID_CATALOG_NAME = '3D000';
const DUPLICATE_DATABASE = '42P04';
/** All codes of a refused login begin so. */
const INVALID_AUTHORIZATION = '28';

export function adminUrl({ port, password }: ServerAddress, database = DATABASE): string {
  return `postgres://${ADMIN_ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

/** Asks the server at `address` a real question, and creates our database when it has none yet. */
export async function askServer(address: ServerAddress, cluster: string): Promise<Answer> {
  try {
    const [row] = await query(adminUrl(address), "select current_setting('data_directory') as folder");
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
  await query(adminUrl(address, 'postgres'), `create database ${DATABASE}`).catch((error: unknown) => {
    if (!(error instanceof DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
  });
}

export async function query(url: string, sql: string, limitMs = QUERY_MILLIS): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: limitMs });
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
