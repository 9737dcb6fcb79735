import type { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { queryAt } from '../setup/query-at.ts';

describe('the migrations', () => {
  let database: TestDatabase;
  let orm: MikroORM;

  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await openOrm({ url: database.url, poolSize: 2 });
  });
  afterAll(async () => {
    await orm.close();
    await database.drop();
  });

  it('are all needed on an empty database, which lacks what the tables describe', async () => {
    expect(await orm.schema.getUpdateSchemaSQL()).toContain('create table "records"');
    expect((await orm.migrator.getPending()).length).toBeGreaterThan(0);
  });

  it('are each named once', async () => {
    const names = (await orm.migrator.getPending()).map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('lead to exactly the schema that the tables describe', async () => {
    await orm.migrator.up();
    expect((await orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
    expect(await orm.migrator.getPending()).toEqual([]);
  });

  it('change nothing when they run again', async () => {
    await orm.migrator.up();
    expect((await orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
  });
});

describe('a database that is missing', () => {
  it('is not made by whoever opens or migrates it', async () => {
    const other = await createTestDatabase();
    const gone = await createTestDatabase();
    await gone.drop();
    const open = async () => {
      const orm = await openOrm({ url: gone.url, poolSize: 1 });
      await orm.migrator.up().finally(() => orm.close(true));
    };
    await expect(open()).rejects.toThrow();
    const name = new URL(gone.url).pathname.slice(1);
    expect(await queryAt(other.url, 'select from pg_database where datname = $1', [name])).toEqual([]);
    await other.drop();
  });
});
