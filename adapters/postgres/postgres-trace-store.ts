import { AppError } from '../../core/kernel/errors.ts';
import type { RecordCounts } from '../../core/projects/run-records.ts';
import { findColumn } from '../../core/traces/column.ts';
import type { LogRecord } from '../../core/traces/record.ts';
import type { RecordListing, RecordSelection } from '../../core/traces/record-query.ts';
import type { RecordBatch, TraceStore, WriteOutcome } from '../../core/traces/trace-store.ts';
import { Parameters } from './filter-sql.ts';
import type { EnqueueWithin, GroupWriter } from './group-writer.ts';
import type { PostgresSession } from './postgres-session.ts';
import { columnSql } from './record-columns.ts';
import { type Bind, conditionSql } from './record-conditions.ts';
import { type RecordRow, recordOf, rowJson } from './record-row.ts';
import { REPLACE_RECORD, SELECT_RECORD } from './record-statements.ts';

export class PostgresTraceStore implements TraceStore {
  readonly #session: PostgresSession;
  readonly #writer: GroupWriter;
  readonly #enqueueWithin: EnqueueWithin;

  constructor({
    session,
    groupWriter,
    enqueueWithin,
  }: { session: PostgresSession; groupWriter: GroupWriter; enqueueWithin: EnqueueWithin }) {
    this.#session = session;
    this.#writer = groupWriter;
    this.#enqueueWithin = enqueueWithin;
  }

  async write(batch: RecordBatch): Promise<WriteOutcome> {
    return this.#writer.write(batch);
  }

  amend(
    project_id: string,
    run_id: string,
    id: string,
    change: (record: LogRecord) => LogRecord,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord | undefined> {
    return this.#session.run(async () => {
      const [run] = await this.#session.sql<{ has_scorers: boolean }>(
        `select jsonb_array_length(metric_settings -> 'scorers') > 0 as has_scorers from runs where project_id = $1 and id = $2 for share`,
        [project_id, run_id],
      );
      if (!run) return undefined;
      const [row] = await this.#session.sql<RecordRow>(
        `select ${SELECT_RECORD} from records r where r.project_id = $1 and r.id = $2 and r.run_id = $3 for update of r`,
        [project_id, id, run_id],
      );
      if (!row) return undefined;
      const changed = change(recordOf(row));
      const [stored] = await this.#session.sql<{ updated_at: string }>(REPLACE_RECORD, [rowJson(changed)]);
      if (!stored) throw new AppError('conflict', 'record_gone', `record ${id} was removed meanwhile`);
      if (run.has_scorers && score(changed)) {
        const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
        await this.#enqueueWithin(sql, [{ project_id, run_id, trace_ids: [changed.trace_id] }]);
      }
      return changed;
    });
  }

  async find(project_id: string, id: string, run_id?: string): Promise<LogRecord | undefined> {
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.id = $2 and ($3::uuid is null or r.run_id = $3) order by r.created_at desc limit 1`,
      [project_id, id, run_id ?? null],
    );
    return rows[0] && recordOf(rows[0]);
  }

  async listTrace(project_id: string, run_id: string, trace_id: string): Promise<LogRecord[]> {
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.trace_id = $2 and r.run_id = $3 order by r.is_trace desc, r.created_at, r.position, r.id`,
      [project_id, trace_id, run_id],
    );
    return rows.map(recordOf);
  }

  async list({ sort, starting_token, limit, after, ...selection }: RecordListing): Promise<LogRecord[]> {
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const where = whereSql(selection, bind);
    const collation = findColumn(sort.column_id)?.data_type === 'text' ? ' collate "C"' : '';
    const column = columnSql(sort.column_id, bind) + collation;
    const direction = sort.ascending ? 'asc' : 'desc';
    const [join, behind] = after === undefined ? ['', 'true'] : behindSql(selection, sort, column, after, bind);
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r ${join} where ${where} and ${behind}
       order by ${column} ${direction}, r.id ${direction} limit ${bind(limit + 1)} offset ${bind(starting_token)}`,
      parameters.values,
    );
    return rows.map(recordOf);
  }

  async count(selection: RecordSelection): Promise<number> {
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const where = whereSql(selection, bind);
    const rows = await this.#session.sql<{ total: string }>(
      `select count(*)::text as total from records r where ${where}`,
      parameters.values,
    );
    return Number(rows[0]?.total ?? 0);
  }

  async counts(project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>> {
    const rows = await this.#session.sql<{ run_id: string; num_traces: string; num_spans: string }>(
      `select run_id, count(*) filter (where is_trace)::text as num_traces, count(*) filter (where not is_trace)::text as num_spans
       from records where project_id = $1 and run_id = any($2::uuid[]) group by run_id`,
      [project_id, run_ids],
    );
    return new Map(
      rows.map(({ run_id, num_traces, num_spans }) => [run_id, { num_traces: Number(num_traces), num_spans: Number(num_spans) }]),
    );
  }

  async removeAll(project_id: string, run_id?: string): Promise<void> {
    for (const table of ['scores', 'records']) {
      await this.#session.sql(`delete from ${table} where project_id = $1 and ($2::uuid is null or run_id = $2)`, [
        project_id,
        run_id ?? null,
      ]);
    }
  }
}

function whereSql({ project_id, run_id, level, where }: RecordSelection, bind: Bind): string {
  const place = `r.project_id = ${bind(project_id)} and r.run_id = ${bind(run_id)} and r.is_trace = ${level === 'trace'}`;
  return `${place} and ${conditionSql(where, bind)}`;
}

/**
 * What it takes to continue behind a record: a join with it, and the condition. Nothing is behind a record that is not
 * there. Missing values are the greatest, as in the order itself.
 */
function behindSql(
  { project_id, run_id }: RecordSelection,
  { column_id, ascending }: RecordListing['sort'],
  column: string,
  after: string,
  bind: Bind,
): [string, string] {
  const last = `select ${column} as value, r.id from records r
    where r.project_id = ${bind(project_id)} and r.run_id = ${bind(run_id)} and r.id = ${bind(after)}`;
  const than = ascending ? '>' : '<';
  if (column_id === 'created_at') return ['', `(r.created_at, r.id) ${than} (${last})`];
  const greater = ascending ? `${column} is null and last.value is not null` : `${column} is not null and last.value is null`;
  const tied = `${column} is not distinct from last.value and r.id ${than} last.id`;
  return [`cross join (${last}) as last`, `(${column} ${than} last.value or ${greater} or ${tied})`];
}
