import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import { PostgresScoresBelow } from '../../../adapters/postgres/scorers/postgres-scores-below.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

const run = { project_id: '11111111-1111-4111-8111-111111111111', run_id: '22222222-2222-4222-8222-222222222222' };
const scorer_id = '33333333-3333-4333-8333-333333333333';
const TRACES = 5;
const SPANS = 200;
const toId = (trace: number): string => `00000000-0000-4000-8000-${String(trace).padStart(12, '0')}`;
const RECORDS = `
insert into records (project_id, id, run_id, trace_id, session_id, type, is_trace, name, created_at, position, updated_at, input,
  payload_kinds, is_complete, has_children)
select $1, md5(t || ' ' || i)::uuid, $2, ('00000000-0000-4000-8000-' || lpad(t::text, 12, '0'))::uuid, md5(t::text)::uuid, 'llm', false, 'n',
  timestamptz '2026-01-01' + i * interval '1 second', i, now(), 'x', 0, true, false
from generate_series(1, ${TRACES}) t, generate_series(1, ${SPANS}) i`;
const SCORES = `
insert into scores (project_id, record_id, run_id, scorer_version_id, scorer_id, metric_name, status_type, value, scored_at, times_scored)
select project_id, id, run_id, $1, $2, 'm', 'success', '1', now(), 1 from records`;

describe('the scores below traces, on tables without statistics,', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await openMigratedDatabase();
    const { session } = database;
    for (const table of ['records', 'scores']) await session.sql(`alter table ${table} set (autovacuum_enabled = off)`);
    await session.sql(RECORDS, [run.project_id, run.run_id]);
    await session.sql(SCORES, [toId(99), scorer_id]);
  });
  afterAll(() => database.close());

  it('are read by their records, no score twice', async () => {
    const { session } = database;
    let plan = '';
    const explained = Object.assign(Object.create(PostgresSession.prototype) as PostgresSession, {
      sql: async (statement: string, values: unknown[]) => {
        const rows = await session.sql<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${statement}`, values);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        return session.sql(statement, values);
      },
    });
    const ids = Array.from({ length: TRACES }, (_, at) => toId(at + 1));
    const found = await new PostgresScoresBelow({ session: explained }).list({
      ...run,
      level: 'trace',
      ids,
      scorer_ids: [scorer_id],
    });
    expect(found.map(({ values }) => values.length)).toEqual(ids.map(() => SPANS));
    const removed = [...plan.matchAll(/Rows Removed by [\w ]+: (\d+)/g)].map((match) => Number(match[1]));
    expect(Math.max(0, ...removed)).toBe(0);
    expect(plan).toContain('scores_pkey');
  });
});
