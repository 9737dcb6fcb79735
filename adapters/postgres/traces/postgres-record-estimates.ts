import { sql } from 'kysely';
import { COUNTED } from '../../../core/record-index/record-metrics.ts';
import type { RecordEstimates } from '../../../core/traces/read/record-estimates.ts';
import { type RecordFilter, type RecordSelection, requiredFilters } from '../../../core/traces/record-query.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type Condition, type Fragment, TRUE } from '../database/sql.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { RecordCandidates } from './record-candidates.ts';

/** More records under an id are not counted: then the id is taken to leave all. */
const MOST_COUNTED = 10_000;

/** From the numbers that the record index keeps, and from short looks into indexes. */
export class PostgresRecordEstimates implements RecordEstimates {
  readonly #session: PostgresSession;
  readonly #candidates: RecordCandidates;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#candidates = new RecordCandidates({ session });
  }

  async estimate(selection: RecordSelection, enough: number): Promise<number> {
    const pending = await this.#pending(selection);
    const total = pending + (await this.#indexed(selection));
    if (total <= enough) return total;
    const required = requiredFilters(selection.where);
    const figures = [total, await this.#byIds(selection, required)];
    if (Math.min(...figures) === total) figures.push((await this.#candidates.find(selection))?.length ?? total);
    const times = required.filter(({ type, column_id }) => type === 'date' && column_id === 'created_at');
    if (times.length > 0) figures.push(pending + (await this.#withinHours(selection, times)));
    return Math.min(...figures);
  }

  async #indexed({ project_id, run_id, level }: RecordSelection): Promise<number> {
    const [row] = await this.#session.rows(
      sql<{
        total: string;
      }>`select ${numberSql(level)}::text as total from run_counts where project_id = ${project_id} and run_id = ${run_id}`,
    );
    return Number(row?.total ?? 0);
  }

  /** Records that came and went and are not in the other numbers yet. */
  async #pending({ project_id, run_id, level }: RecordSelection): Promise<number> {
    const [row] = await this.#session.rows(
      sql<{ total: string }>`select coalesce(sum(${numberSql(level)}), 0)::text as total from record_changes
        where project_id = ${project_id} and run_id = ${run_id}`,
    );
    return Number(row!.total);
  }

  /** How many records of the level have the ids, where an index finds them; infinite where no filter on ids has to hold, and when there are many. */
  async #byIds({ project_id, run_id, level }: RecordSelection, required: readonly RecordFilter[]): Promise<number> {
    const found: number[] = [];
    for (const filter of required) {
      const test = toIdTest(filter, level);
      if (test === undefined) continue;
      const [row] = await this.#session.rows(
        sql<{ total: number }>`select count(*)::int as total from (
          select from records where project_id = ${project_id} and ${test} and run_id = ${run_id} and is_trace = ${sql.lit(level === 'trace')}
          limit ${sql.lit(MOST_COUNTED + 1)}
        ) as found`,
      );
      if (row!.total <= MOST_COUNTED) found.push(row!.total);
    }
    return Math.min(...found);
  }

  /** Hours that a filter reaches into count whole. */
  async #withinHours({ project_id, run_id, level }: RunKey & Pick<RecordSelection, 'level'>, times: readonly RecordFilter[]) {
    const tests = times.map(({ operator, value }) => toHourTest(operator, String(value)));
    const [row] = await this.#session.rows(
      sql<{ total: string }>`select coalesce(sum(count), 0)::text as total from hourly_numbers
        where project_id = ${project_id} and run_id = ${run_id} and name = ${COUNTED.records}
          and (type = 'trace') = ${sql.lit(level === 'trace')} and ${sql.join(tests, sql` and `)}`,
    );
    return Number(row!.total);
  }
}

const numberSql = (level: RecordSelection['level']): Fragment => sql.ref(level === 'trace' ? 'num_traces' : 'num_spans');

function toIdTest({ column_id, operator, value }: RecordFilter, level: RecordSelection['level']): Condition | undefined {
  if (operator !== 'eq' && operator !== 'one_of') return undefined;
  const values = [value].flat().map(String);
  const test = sql<boolean>`${sql.ref(column_id)} = any(${values}::uuid[])`;
  if (column_id === 'id' || column_id === 'trace_id') return test;
  // The sessions of spans are in no index.
  return column_id === 'session_id' && level === 'trace' ? test : undefined;
}

function toHourTest(operator: RecordFilter['operator'], time: string): Condition {
  const hour = sql`date_trunc('hour', ${time}::timestamptz, 'UTC')`;
  if (operator === 'gt' || operator === 'gte') return sql`hour >= ${hour}`;
  if (operator === 'lt' || operator === 'lte') return sql`hour <= ${hour}`;
  return operator === 'eq' ? sql`hour = ${hour}` : TRUE;
}
