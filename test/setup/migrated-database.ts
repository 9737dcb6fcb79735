import { openOrm } from '../../adapters/postgres/orm.ts';
import { PostgresSession } from '../../adapters/postgres/postgres-session.ts';
import { createTestDatabase } from './database.ts';

export interface MigratedDatabase {
  readonly url: string;
  readonly session: PostgresSession;
  /** Empties tables, so that the tests of a file can share one database. */
  empty(...tables: string[]): Promise<void>;
  close(): Promise<void>;
}

/** A fresh database with the schema of the service. `options` are those of CREATE DATABASE. */
export async function openMigratedDatabase(options?: string): Promise<MigratedDatabase> {
  const database = await createTestDatabase(options);
  const orm = await openOrm({ url: database.url, poolSize: 5 });
  await orm.migrator.up();
  const session = new PostgresSession({ orm });
  return {
    url: database.url,
    session,
    empty: async (...tables) => void (await session.sql(`truncate ${tables.join(', ')}`)),
    close: async () => {
      await orm.close();
      await database.drop();
    },
  };
}
