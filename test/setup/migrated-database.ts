import type { MikroORM } from '@mikro-orm/postgresql';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { copyMigratedDatabase, createTestDatabase } from './database.ts';
import { PATIENCE_MS } from './timing.ts';

export interface MigratedDatabase {
  readonly url: string;
  readonly orm: MikroORM;
  readonly session: PostgresSession;
  /** Empties tables, so that the tests of a file can share one database. */
  empty(...tables: string[]): Promise<void>;
  close(): Promise<void>;
}

/** A fresh database with the schema of the service. With `options`, those of CREATE DATABASE, it is set up anew. */
export async function openMigratedDatabase(options?: string): Promise<MigratedDatabase> {
  const database = options === undefined ? await copyMigratedDatabase() : await createTestDatabase(options);
  const orm = await openOrm({ url: database.url, poolSize: 5, connectMs: PATIENCE_MS });
  if (options !== undefined) await orm.migrator.up();
  const session = new PostgresSession({ orm });
  return {
    url: database.url,
    orm,
    session,
    empty: async (...tables) => void (await session.sql(`truncate ${tables.join(', ')}`)),
    close: async () => {
      await orm.close();
      await database.drop();
    },
  };
}
