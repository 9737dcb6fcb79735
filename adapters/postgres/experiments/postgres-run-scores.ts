import { sql } from 'kysely';
import type { RowTrace, RunScores, ScoreTally, TraceNumber } from '../../../core/experiments/run-scores.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { ROW_ID_KEY } from '../../../core/projects/run-origin.ts';
import type { RecordSelection } from '../../../core/traces/record-query.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText } from '../database/text-codec.ts';
import { whereSql } from '../traces/record-listing.ts';

/** Reads the newest score of each name, as everywhere; the caller appends what has to be added about it. */
const NEWEST = `select distinct on (c.record_id, c.metric_name) m.trace_id, m.type, c.metric_name, c.value, c.status_type`;
const NEWEST_FIRST = 'order by c.record_id, c.metric_name, c.scored_at desc, c.scorer_version_id desc';

const tallied = (selection: RecordSelection, limit: number) => sql<{ metric_name: string; value: string; count: string }>`
with selected as materialized (select r.id from records r where ${whereSql(selection)}), newest as (
  ${sql.raw(NEWEST)} from selected s
  join records m on m.project_id = ${selection.project_id} and m.trace_id = s.id and (m.run_id = ${selection.run_id}) is true
  join scores c on c.project_id = ${selection.project_id} and c.record_id = m.id and c.run_id = ${selection.run_id} ${sql.raw(NEWEST_FIRST)}
)
select metric_name, value, count(*)::text as count from newest
where status_type = 'success' group by metric_name, value order by count(*) desc limit ${limit}`;

const TRACES = `
select id as trace_id, lower(dataset_metadata ->> '${ROW_ID_KEY}') as row_id, dataset_input from records
where project_id = $1 and run_id = $2 and is_trace order by created_at, id limit $3`;

const ADDED_UP = `bool_and(jsonb_typeof(value) = 'boolean') as is_yes_no, count(*)::text as count,
  sum(case jsonb_typeof(value) when 'number' then (value #>> '{}')::double precision else (value = 'true')::int end) as sum`;

const NUMBERS = `
with newest as (
  ${NEWEST} from scores c join records m on m.project_id = c.project_id and m.id = c.record_id and (m.run_id = $2) is true
  where c.project_id = $1 and c.run_id = $2 ${NEWEST_FIRST}
), results as (
  select trace_id, type, metric_name as name, value::jsonb as value, true as is_score from newest where status_type = 'success'
), brought as (
  select m.trace_id, m.type, n.key as name, n.value, false as is_score
  from records m cross join lateral jsonb_each(m.metrics) n where m.project_id = $1 and (m.run_id = $2) is true
)
select trace_id, name, type, is_score, ${ADDED_UP}
from (select * from results union all select * from brought) numbers
where jsonb_typeof(value) in ('number', 'boolean') group by trace_id, name, type, is_score`;

export class PostgresRunScores implements RunScores {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async tallies(selection: RecordSelection, limit: number): Promise<ScoreTally[]> {
    const rows = await this.#session.rows(tallied(selection, limit));
    return rows.map(({ metric_name, value, count }) => ({
      metric_name: decodeText(metric_name),
      value: decodeJson(JSON.parse(value)) as JsonValue,
      count: Number(count),
    }));
  }

  async traces(project_id: string, run_id: string, limit: number): Promise<RowTrace[]> {
    const rows = await this.#session.sql<RowTrace>(TRACES, [project_id, run_id, limit + 1]);
    return rows.map((row) => ({ ...row, dataset_input: row.dataset_input === null ? null : decodeText(row.dataset_input) }));
  }

  async numbers(project_id: string, run_id: string): Promise<TraceNumber[]> {
    const rows = await this.#session.sql<Omit<TraceNumber, 'count'> & { count: string }>(NUMBERS, [project_id, run_id]);
    return rows.map((row) => ({ ...row, name: decodeText(row.name), count: Number(row.count) }));
  }
}
