import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INCOMING_TYPE } from '../../../adapters/postgres/traces/record-statements.ts';
import { RECORD_COLUMNS } from '../../../adapters/postgres/traces/stored-columns.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

type Column = readonly [name: string, type: string];

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

/** The columns of a table or composite type, in its order. */
async function columnsIn(relation: string): Promise<Column[]> {
  const rows = await database.session.sql<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = (select oid from pg_class where relname = $1) and attnum > 0 and not attisdropped order by attnum`,
    [relation],
  );
  return rows.map(({ name, type }) => [name, type.replace('timestamp with time zone', 'timestamptz')]);
}

const said: readonly Column[] = Object.entries(RECORD_COLUMNS).map(([name, { type }]) => [name, type]);

describe('the catalogue of record fields', () => {
  it('has the members of the composite type that records are written as, in its order', async () => {
    expect(await columnsIn(INCOMING_TYPE)).toEqual(said);
  });

  it('has the columns of the table of records, which knows besides when a record was written', async () => {
    const byName = (columns: readonly Column[]) => columns.toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(byName(await columnsIn('records'))).toEqual(byName([...said, ['updated_at', 'timestamptz']]));
  });
});
