import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SELECT_RECORD } from '../../../adapters/postgres/traces/record-statements.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

const PROJECT = '11111111-1111-4111-8111-111111111111';
const RUN = '22222222-2222-4222-8222-222222222222';
const FILL = `
insert into records (project_id, id, run_id, trace_id, session_id, type, is_trace, name, created_at, position, updated_at, input,
  payload_kinds, is_complete, has_children)
select $1, case when i <= 300 then md5(i::text)::uuid else gen_random_uuid() end, $2, md5((i % 300 + 1)::text)::uuid, $1,
  case when i <= 300 then 'trace' else 'llm' end, i <= 300, 'n', now(), i, now(), repeat('x', 200), 0, true, false
from generate_series(1, 6000) i`;

/** A run may be filled and read before the server has looked at the table for the first time. */
describe('on a table without statistics', () => {
  let database: MigratedDatabase;

  beforeAll(async () => {
    database = await openMigratedDatabase();
    await database.session.sql('alter table records set (autovacuum_enabled = off)');
    await database.session.sql(FILL, [PROJECT, RUN]);
  });
  afterAll(() => database.close());

  it('a page of spans reads each of its traces by key, and no more', async () => {
    const rows = await database.session.sql<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off) select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.run_id = $2 and r.is_trace = false order by r.created_at desc, r.id desc limit 101`,
      [PROJECT, RUN],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using records_pkey on records t');
    const rowsRead = [...plan.matchAll(/actual rows=(\d+)/g)].map((match) => Number(match[1]));
    expect(Math.max(...rowsRead)).toBeLessThanOrEqual(101);
    expect(plan).not.toContain('Rows Removed by Join Filter');
  });
});
