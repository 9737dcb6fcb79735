import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORMER_MIGRATIONS } from '../../adapters/postgres/database/former-migrations.ts';
import { migrate, withMigrationLock } from '../../adapters/postgres/database/migrate.ts';
import { watchState } from '../fuzz/state.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';

/** The schema of the former migrations is the one that they became; what differs is what the database says of itself. */
describe('a database of the migrations that became one', () => {
  let database: MigratedDatabase;

  beforeEach(async () => {
    database = await openMigratedDatabase();
    const { session } = database;
    await session.sql(`delete from schema_migrations where name = 'm0001-schema'`);
    await session.sql('insert into schema_migrations (name) select unnest($1::text[])', [FORMER_MIGRATIONS]);
    await session.sql(
      `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
       values ($1, 'kept', 'gen_ai', false, '[]', now(), now())`,
      [randomUUID()],
    );
  });
  afterEach(() => database.close());

  const migrateDatabase = () => withMigrationLock(database.url, () => migrate(database.orm));
  const readNames = async () => {
    const rows = await database.session.sql<{ name: string }>('select name from schema_migrations order by id');
    return rows.map(({ name }) => name);
  };

  it('is adopted as it is: with the same rows, nothing run, and nothing pending', async () => {
    const readState = await watchState(database.session);
    const before = await readState();
    expect(before.get('projects')).toMatch(/^1 /);
    await migrateDatabase();
    expect(await readState()).toEqual(before);
    expect(await readNames()).toContain('m0001-schema');
    expect(await database.orm.migrator.getPending()).toEqual([]);
    expect((await database.orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
  });

  it('is adopted once by instances that start at once', async () => {
    await Promise.all([migrateDatabase(), migrateDatabase(), migrateDatabase()]);
    expect((await readNames()).filter((name) => name === 'm0001-schema')).toHaveLength(1);
    expect((await readNames()).filter((name) => FORMER_MIGRATIONS.includes(name as never))).toEqual([]);
  });

  it('is refused, and left as it is, when it lacks one of them', async () => {
    await database.session.sql(`delete from schema_migrations where name = 'm0034-alert-channels'`);
    const before = await readNames();
    await expect(migrateDatabase()).rejects.toThrow(
      'before migration m0034-alert-channels: start the last version that has m0034-alert-channels once, and then this one',
    );
    expect(await readNames()).toEqual(before);
  });
});
