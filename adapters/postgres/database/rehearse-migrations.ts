import type { MikroORM } from '@mikro-orm/postgresql';
import { PostgresSession } from './postgres-session.ts';

export interface RehearsedLock {
  readonly table: string;
  /** As PostgreSQL names it. */
  readonly mode: string;
  readonly blocks: 'reads and writes' | 'writes';
  /** Migration that took it. */
  readonly migration: string;
  /** At most, from the start of that migration until all of them were committed. */
  readonly held_ms: number;
}

export interface RehearsedMigrations {
  readonly migrations: readonly { readonly name: string; readonly ms: number }[];
  /** On tables that were there before; nobody waits for those that a migration makes. */
  readonly locks: readonly RehearsedLock[];
}

interface TakenLock {
  readonly table: string;
  readonly mode: string;
}

/** Modes that keep others from writing; the other ones go together with reads and writes. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

/** Asked within the transaction that took them: it keeps each lock until it ends, so that none is missed. */
const LOCKS = `select distinct relation::regclass::text as "table", mode from pg_locks
  where pid = pg_backend_pid() and locktype = 'relation' and granted
    and mode in (${BLOCKING.map((mode) => `'${mode}'`).join(', ')}) and relation::bigint in (:tables)
  order by 1, 2`;

/** Runs the migrations that are pending as a start does, in one transaction, and tells how long each took and what it locked. */
export async function rehearseMigrations(orm: MikroORM): Promise<RehearsedMigrations> {
  const pending = (await orm.migrator.getPending()).map(({ name }) => name);
  const tables = await new PostgresSession({ orm }).sql<{ oid: string }>(
    `select oid::bigint::text as oid from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  const statement = LOCKS.replace(':tables', tables.map(({ oid }) => oid).join(', '));
  const migrations: { name: string; ms: number }[] = [];
  const taken = new Map<string, TakenLock & { migration: string; startedAt: number }>();
  const connection = orm.em.getConnection();
  await connection.transactional(async (transaction) => {
    for (const name of pending) {
      const startedAt = performance.now();
      await orm.migrator.up({ migrations: [name], transaction });
      migrations.push({ name, ms: toMillis(startedAt) });
      for (const lock of await connection.execute<TakenLock[]>(statement, [], 'all', transaction)) {
        const key = `${lock.table} ${lock.mode}`;
        if (!taken.has(key)) taken.set(key, { ...lock, migration: name, startedAt });
      }
    }
  });
  const locks = [...taken.values()].map(({ table, mode, migration, startedAt }): RehearsedLock => {
    const blocks = mode === 'AccessExclusiveLock' ? 'reads and writes' : 'writes';
    return { table, mode, blocks, migration, held_ms: toMillis(startedAt) };
  });
  return { migrations, locks };
}

const toMillis = (startedAt: number): number => Math.round(performance.now() - startedAt);
