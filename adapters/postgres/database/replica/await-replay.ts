import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { parseLsn } from './replica-position.ts';

const POLL_MS = 100;
const CONNECT_MS = 10_000;

export interface ReplayWait {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** In milliseconds. */
  readonly limitMs: number;
}

/**
 * Resolves once the replica shows everything that was committed on the primary before the call. Rejects with a readable Error when it is
 * no standby of that primary, cannot be reached, or does not get there in time.
 */
export async function awaitReplay({ primaryUrl, replicaUrl, limitMs }: ReplayWait): Promise<void> {
  const primary = await ask<{ system: string; lsn: string }>(
    primaryUrl,
    'select system_identifier::text as system, pg_current_wal_flush_lsn()::text as lsn from pg_control_system()',
  );
  const wanted = parseLsn(primary.lsn);
  for (const deadline = performance.now() + limitMs; ; await sleep(POLL_MS)) {
    const replica = await ask<{ system: string; standby: boolean; lsn: string | null }>(
      replicaUrl,
      'select system_identifier::text as system, pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as lsn from pg_control_system()',
    );
    if (!replica.standby || replica.system !== primary.system)
      throw new Error('the database at DATABASE_READ_URL is no standby of the one at DATABASE_URL');
    if (replica.lsn !== null && parseLsn(replica.lsn) >= wanted) return;
    if (performance.now() > deadline)
      throw new Error(`the replica at DATABASE_READ_URL is still behind after ${Math.round(limitMs / 1000)} s`);
  }
}

async function ask<Row extends object>(connectionString: string, statement: string): Promise<Row> {
  const client = new Client({ connectionString, application_name: 'touchstone backup', connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows[0]!;
  } finally {
    await client.end().catch(() => undefined);
  }
}
