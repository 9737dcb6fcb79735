import { randomBytes } from 'node:crypto';
import type { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';

/** Secrets that have to be found nowhere, by what they are. `canary` makes one. */
export function canaries() {
  const secrets = new Map<string, string>();
  const canary = (what: string): string => {
    const secret = `canary-${what}-${randomBytes(12).toString('hex')}`;
    secrets.set(what, secret);
    return secret;
  };
  return { secrets, canary };
}

/** Every row of every table of the database, as text. */
export async function allRows(session: PostgresSession): Promise<string> {
  const tables = await session.sql<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => session.sql<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
