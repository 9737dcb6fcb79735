import { PostgresAuditStore } from '../../adapters/postgres/access/postgres-audit-store.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { type RehearsedMigrations, rehearseMigrations } from '../../adapters/postgres/database/rehearse-migrations.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../../core/access/audit/audit-trail.ts';

export interface MigratedDatabase extends RehearsedMigrations {
  /** Before and after the migrations; null where there is no such table. */
  readonly tables: readonly { readonly name: string; readonly before: number | null; readonly after: number | null }[];
  /** Empty when the service would start on it and go on. */
  readonly faults: readonly string[];
}

/** Runs the migrations that are pending as a start does, counts rows before and after, and looks at the schema and the audit log. */
export async function migrateAndCheck(url: string): Promise<MigratedDatabase> {
  const orm = await openOrm({ url, poolSize: 2 });
  try {
    const session = new PostgresSession({ orm });
    const before = await countRows(session);
    let rehearsed: RehearsedMigrations;
    try {
      rehearsed = await rehearseMigrations(orm);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const tables = [...before].map(([name, rows]) => ({ name, before: rows, after: null }));
      return { migrations: [], locks: [], tables, faults: [`a migration failed: ${why}`] };
    }
    const after = await countRows(session);
    const tables = [...new Set([...before.keys(), ...after.keys()])].sort().map((name) => ({
      name,
      before: before.get(name) ?? null,
      after: after.get(name) ?? null,
    }));
    const faults: string[] = [];
    if ((await orm.schema.getUpdateSchemaSQL()).trim() !== '') faults.push('the schema is not the one that this version expects');
    const auditStore = new PostgresAuditStore({ session });
    const chain = await new AuditTrail({ auditStore, secrets: new NodeSecrets(), clock: () => new Date() }).verify();
    if (chain.broken_at !== null)
      faults.push(`the audit log is broken: line ${chain.broken_at} does not follow on the one before it`);
    return { ...rehearsed, tables, faults };
  } finally {
    await orm.close(true);
  }
}

async function countRows(session: PostgresSession): Promise<Map<string, number>> {
  const names = await session.sql<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const counts = new Map<string, number>();
  for (const { name } of names) {
    const [row] = await session.sql<{ rows: string }>(`select count(*)::text as rows from public.${name}`);
    counts.set(name, Number(row!.rows));
  }
  return counts;
}
