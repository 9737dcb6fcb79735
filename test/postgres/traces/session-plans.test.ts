import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import type { Fragment } from '../../../adapters/postgres/database/sql.ts';
import { PostgresRecordSessionStore } from '../../../adapters/postgres/traces/postgres-record-session-store.ts';
import type { SessionStore } from '../../../core/traces/sessions/session-store.ts';
import { toListing } from '../../contracts/traces/sessions.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

const run = { project_id: '11111111-1111-4111-8111-111111111111', run_id: '22222222-2222-4222-8222-222222222222' };
/** Six traces in each of 1,000 sessions, and 500 alone, older than they. */
const TRACES = `
insert into records (project_id, id, run_id, trace_id, session_id, type, is_trace, name, created_at, position, updated_at, input,
  payload_kinds, is_complete, has_children)
select $1, md5(i::text)::uuid, $2, md5(i::text)::uuid, md5((case when i < 500 then i else 500 + i % 1000 end)::text)::uuid, 'trace', true,
  'n', timestamptz '2026-01-01' + i * interval '1 second', i, now(), repeat('x', 200), 0, true, false
from generate_series(1, 6500) i`;
const SESSIONS = `
insert into sessions (project_id, id, run_id, external_id, is_derived, created_at, updated_at)
select project_id, session_id, run_id, session_id::text, true, min(created_at), now() from records
where session_id <> id group by project_id, session_id, run_id`;

describe('a search of sessions, on tables without statistics,', () => {
  let database: MigratedDatabase;
  const plans: string[] = [];
  let store: SessionStore;

  beforeAll(async () => {
    database = await openMigratedDatabase();
    const { session } = database;
    for (const table of ['records', 'sessions']) await session.sql(`alter table ${table} set (autovacuum_enabled = off)`);
    await session.sql(TRACES, [run.project_id, run.run_id]);
    await session.sql(SESSIONS);
    const explained = Object.assign(Object.create(PostgresSession.prototype) as PostgresSession, {
      rows: async (statement: Fragment) => {
        const rows = await session.rows(sql<{ 'QUERY PLAN': string }>`explain (analyze, timing off) ${statement}`);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return session.rows(statement);
      },
    });
    store = new PostgresRecordSessionStore({ session: explained });
  });
  afterAll(() => database.close());

  /** The most rows that any step of the last statement read at once, or threw away. */
  const rowsRead = (): number => {
    const counts = [...plans.at(-1)!.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )(\d+)/g)];
    return Math.max(...counts.map((match) => Number(match[1])));
  };

  it.each([{ ascending: false }, { ascending: true }])('by time reads no more than its page: %j', async ({ ascending }) => {
    const found = await store.list(toListing(run, { sort: { column_id: 'created_at', ascending }, limit: 50 }));
    expect(found).toHaveLength(51);
    expect(rowsRead()).toBeLessThanOrEqual(51);
  });

  it('goes on behind a session without reading what was before', async () => {
    const [, last] = await store.list(toListing(run, { starting_token: 700, limit: 1 }));
    const found = await store.list(toListing(run, { previous_last_row_id: last!.id, limit: 50 }));
    expect(found).toHaveLength(51);
    expect(rowsRead()).toBeLessThanOrEqual(51);
  });

  it('without those that traces are by themselves reads no trace but of its page, and alike to count', async () => {
    const filters = [{ type: 'boolean', column_id: 'is_implicit', operator: 'eq', value: false }];
    const oldest = { column_id: 'created_at', ascending: true };
    expect(await store.list(toListing(run, { filters, sort: oldest, limit: 50 }))).toHaveLength(51);
    expect(rowsRead()).toBeLessThanOrEqual(51);
    expect(await store.count(toListing(run, { filters }))).toBe(1000);
    expect(plans.at(-1)).not.toMatch(/on records/);
  });

  it('by external id reads that session alone, once the server has looked at the table', async () => {
    await database.session.sql('analyze sessions');
    const [newest] = await store.list(toListing(run, { limit: 1 }));
    const filters = [{ type: 'text', column_id: 'external_id', operator: 'eq', value: newest!.external_id }];
    expect(await store.list(toListing(run, { filters, limit: 1 }))).toMatchObject([{ id: newest!.id, num_traces: 6 }]);
    expect(rowsRead()).toBeLessThanOrEqual(6);
  });
});
