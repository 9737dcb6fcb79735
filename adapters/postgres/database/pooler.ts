import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { SESSION_SETTINGS } from './orm.ts';

const CONNECT_MS = 2_000;

interface ServerState {
  /** Tells one server from another, and a server from itself after a restart. */
  readonly started: string;
  readonly database: string;
  readonly role: string;
  readonly timezone: string;
  readonly statement_timeout: string;
  readonly idle_in_transaction_session_timeout: string;
}

const STATE = `select pg_postmaster_start_time()::text as started, current_database() as database, current_user as role,
  current_setting('timezone') as timezone, current_setting('statement_timeout') as statement_timeout,
  current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout`;

/**
 * Rejects when connections by the pooler are not to the database at `url`, or lack the settings that other connections of the
 * service ask for when they begin: in transaction mode a pooler hands on none of them, so that they have to be the role's.
 */
export async function checkPooler(pooled: MikroORM, url: string): Promise<void> {
  const direct = await readState(url);
  const [state] = await pooled.em.getConnection().execute<ServerState[]>(STATE);
  const faults = faultsOf(state!, direct);
  if (faults.length > 0) throw new Error(`the pooler at DATABASE_POOLER_URL cannot be used: ${faults.join('; ')}`);
}

async function readState(url: string): Promise<ServerState> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<ServerState>(STATE);
    return rows[0]!;
  } finally {
    await client.end();
  }
}

/** Reasons not to use a pooler. */
export function faultsOf(pooled: ServerState, direct: Pick<ServerState, 'started' | 'database'>): string[] {
  if (pooled.started !== direct.started || pooled.database !== direct.database)
    return ['it leads to another database than DATABASE_URL'];
  const { timezone, ...timeouts } = pooled;
  const missing = [
    ...(timezone === SESSION_SETTINGS.timezone ? [] : (['timezone'] as const)),
    ...(['statement_timeout', 'idle_in_transaction_session_timeout'] as const).filter((name) => timeouts[name] === '0'),
  ];
  const role = `"${pooled.role.replaceAll('"', '""')}"`;
  return missing.map((name) => `${name} is ${pooled[name]}, run: alter role ${role} set ${name} = '${SESSION_SETTINGS[name]}'`);
}
