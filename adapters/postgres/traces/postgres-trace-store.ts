import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../core/kernel/errors.ts';
import { mapInSlices } from '../../../core/kernel/slices.ts';
import type { RecordCounts } from '../../../core/projects/run-records.ts';
import { MODEL_CALLS } from '../../../core/traces/catalogue/span-types.ts';
import type { NewColumn } from '../../../core/traces/columns/observed-columns.ts';
import type { FacetValue } from '../../../core/traces/read/facet.ts';
import { isUnconditional } from '../../../core/traces/read/query-cost.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { RecordListing, RecordSelection } from '../../../core/traces/record-query.ts';
import type {
  RecordBatch,
  RecordMetrics,
  RecordPlace,
  RecordsWithin,
  TraceStore,
  WriteOutcome,
} from '../../../core/traces/trace-store.ts';
import { noteRemovalForExport } from '../data-export/export-notes.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { decodeText, readJson } from '../database/text-codec.ts';
import type { EnqueueWithin, GroupWriter } from './group-writer.ts';
import { RecordLister } from './record-listing.ts';
import { type RecordRow, toRecord } from './record-row.ts';
import { NOTE_CHANGE, REPLACE_RECORD, REPLACE_RECORDS, SELECT_RECORD } from './record-statements.ts';
import { rowJson } from './stored-columns.ts';

/** Tables whose rows are deleted with a run. The list of changes goes first: the indexer takes from it, and finds the run gone. */
const RUN_TABLES = [
  'record_changes',
  'scores',
  'session_scores',
  'score_counts',
  'shadow_scores',
  'shadow_trials',
  'judge_calls',
  'record_files',
  'changed_sessions',
  'judge_answers',
  'model_spending',
  'annotation_assignments',
  'annotation_items',
  'annotation_queues',
  'feedback',
  'annotations',
  'comments',
  'bookmarks',
  'dataset_rules',
  'dataset_rule_changes',
  'records',
  'record_columns',
  'sessions',
  'run_counts',
  'record_numbers',
  'hourly_numbers',
  'indexed_records',
  'prompt_calls',
  'prompt_hours',
  'prompt_traces',
  'prompt_trace_hours',
  'word_blocks',
  'word_postings',
  'trend_dashboards',
  'alerts',
  'alert_transitions',
  'webhook_deliveries',
  'webhook_secrets',
  'insights_settings',
  'insights',
] as const;

/** Files that records of a run name are looked at by whoever works off this list. */
const LEAVE_FILES = `
insert into left_files (project_id, file_id)
select distinct project_id, file_id from record_files where project_id = $1 and ($2::uuid is null or run_id = $2) on conflict do nothing`;

/** Records that are read without a turn for others. */
const RECORDS_AT_ONCE = 100;
/** The same, of which only the metrics are. */
const METRICS_AT_ONCE = 1_000;
/** The same, of records that are changed: each may be of megabytes. */
const CHANGED_AT_ONCE = 4;
const HOLD_RUN = `
select jsonb_array_length(metric_settings -> 'scorers') > 0 as has_scorers from runs where project_id = $1 and id = $2 for share`;
/** `$1` project, `$2` run, `$3` ids; in the order in which writers lock. */
const HOLD_RECORDS = `
select ${SELECT_RECORD} from records r
where r.project_id = $1 and (r.run_id = $2) is true and r.id = any(array(select unnest($3::uuid[]))) order by r.id for update of r`;

export class PostgresTraceStore implements TraceStore {
  readonly #session: PostgresSession;
  readonly #writer: GroupWriter;
  readonly #enqueueWithin: EnqueueWithin;
  readonly #lister: RecordLister;

  constructor({
    session,
    groupWriter,
    enqueueWithin,
  }: { session: PostgresSession; groupWriter: GroupWriter; enqueueWithin: EnqueueWithin }) {
    this.#session = session;
    this.#writer = groupWriter;
    this.#enqueueWithin = enqueueWithin;
    this.#lister = new RecordLister({ session });
  }

  async write(batch: RecordBatch): Promise<WriteOutcome> {
    return this.#writer.write(batch);
  }

  async amend(
    project_id: string,
    run_id: string,
    id: string,
    change: (record: LogRecord) => LogRecord,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord | undefined> {
    const { columns } = this.#writer;
    let news: NewColumn[] = [];
    const amended = await this.#session.run(async () => {
      const [run] = await this.#session.sql<{ has_scorers: boolean }>(HOLD_RUN, [project_id, run_id]);
      if (!run) return undefined;
      const [row] = await this.#session.sql<RecordRow>(
        `select ${SELECT_RECORD} from records r where r.project_id = $1 and r.id = $2 and r.run_id = $3 for update of r`,
        [project_id, id, run_id],
      );
      if (!row) return undefined;
      // A record may be of millions of values: to read, change and print it takes long each, and others have a turn between.
      const record = toRecord(row);
      await nextTurn();
      const changed = change(record);
      await nextTurn();
      const [stored] = await this.#session.sql<{ updated_at: string }>(REPLACE_RECORD, [rowJson(changed)]);
      if (!stored) throw new AppError('conflict', 'record_gone', `record ${id} was removed meanwhile`);
      await this.#session.sql(NOTE_CHANGE, [project_id, run_id, [id], 0, 0]);
      const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
      if (run.has_scorers && score(changed)) {
        await this.#enqueueWithin(sql, [{ project_id, run_id, trace_ids: [changed.trace_id] }]);
      }
      news = columns.unknownIn([changed]);
      await columns.write(sql, news);
      return changed;
    });
    columns.remember(news);
    return amended;
  }

  async amendAll(
    project_id: string,
    run_id: string,
    ids: readonly string[],
    change: (record: LogRecord) => LogRecord | undefined,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord[]> {
    const { columns } = this.#writer;
    let news: NewColumn[] = [];
    const amended = await retryOnConflict(() =>
      this.#session.run(async () => {
        const [run] = await this.#session.sql<{ has_scorers: boolean }>(HOLD_RUN, [project_id, run_id]);
        const rows = run ? await this.#session.sql<RecordRow>(HOLD_RECORDS, [project_id, run_id, ids]) : [];
        const changed = (await mapInSlices(rows, CHANGED_AT_ONCE, (row) => change(toRecord(row)))).filter(
          (one) => one !== undefined,
        );
        if (changed.length === 0) return [];
        const texts = await mapInSlices(changed, CHANGED_AT_ONCE, (record) => rowJson(record));
        await this.#session.sql(REPLACE_RECORDS, [`[${texts.join(',')}]`]);
        await this.#session.sql(NOTE_CHANGE, [project_id, run_id, changed.map(({ id }) => id), 0, 0]);
        const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
        const scored = run?.has_scorers ? changed.filter(score) : [];
        const trace_ids = [...new Set(scored.map(({ trace_id }) => trace_id))];
        if (trace_ids.length > 0) await this.#enqueueWithin(sql, [{ project_id, run_id, trace_ids }]);
        news = columns.unknownIn(changed);
        await columns.write(sql, news);
        return changed;
      }),
    );
    columns.remember(news);
    return amended;
  }

  async find(project_id: string, id: string, run_id?: string): Promise<LogRecord | undefined> {
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.id = $2 and ($3::uuid is null or r.run_id = $3) order by r.created_at desc limit 1`,
      [project_id, id, run_id ?? null],
    );
    return rows[0] && toRecord(rows[0]);
  }

  async findAll(project_id: string, ids: readonly string[]): Promise<Map<string, LogRecord>> {
    const rows = await this.#session.sql<RecordRow>(
      `select found.* from (select distinct unnest($2::uuid[]) as id) wanted cross join lateral (
         select ${SELECT_RECORD} from records r where r.project_id = $1 and r.id = wanted.id order by r.created_at desc limit 1
       ) found`,
      [project_id, ids],
    );
    const records = await mapInSlices(rows, RECORDS_AT_ONCE, toRecord);
    return new Map(records.map((record) => [record.id, record]));
  }

  async locate(project_id: string, id: string, run_id?: string): Promise<RecordPlace | undefined> {
    const [place] = await this.#session.sql<RecordPlace>(
      `select r.run_id, r.trace_id, r.is_trace from records r
       where r.project_id = $1 and r.id = $2 and ($3::uuid is null or r.run_id = $3) order by r.created_at desc limit 1`,
      [project_id, id, run_id ?? null],
    );
    return place;
  }

  async existing(project_id: string, run_id: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#session.sql<{ id: string }>(
      'select r.id from records r where r.project_id = $1 and r.run_id = $2 and r.id = any($3::uuid[])',
      [project_id, run_id, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async listTrace(project_id: string, run_id: string, trace_id: string): Promise<LogRecord[]> {
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.trace_id = $2 and r.run_id = $3 order by r.is_trace desc, r.created_at, r.position, r.id`,
      [project_id, trace_id, run_id],
    );
    return rows.map(toRecord);
  }

  async listTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<LogRecord[]> {
    const rows = await this.#session.sql<RecordRow>(
      `select ${SELECT_RECORD} from records r
       where r.project_id = $1 and r.trace_id = any($2::uuid[]) and (r.run_id = $3) is true
       order by r.is_trace desc, r.created_at, r.position, r.id`,
      [project_id, trace_ids, run_id],
    );
    return rows.map(toRecord);
  }

  async listMetrics(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordMetrics[]> {
    const rows = await this.#session.sql<Omit<RecordMetrics, 'metrics'> & { readonly metrics: string | null }>(
      `select r.id, r.trace_id, r.type, r.metrics::text as metrics from records r
       where r.project_id = $1 and r.trace_id = any($2::uuid[]) and (r.run_id = $3) is true and (r.is_trace or r.type = any($4::text[]))`,
      [project_id, trace_ids, run_id, MODEL_CALLS],
    );
    return mapInSlices(rows, METRICS_AT_ONCE, (row) => ({
      ...row,
      metrics: row.metrics === null ? {} : (readJson(row.metrics) as RecordMetrics['metrics']),
    }));
  }

  list(listing: RecordListing): Promise<LogRecord[]> {
    return this.#lister.list(listing);
  }

  listWithin(listing: RecordListing, maxBytes: number): Promise<RecordsWithin> {
    return this.#lister.listWithin(listing, maxBytes);
  }

  /** Without conditions the number is kept, and no record is looked at. */
  async count(selection: RecordSelection): Promise<number> {
    if (!isUnconditional(selection.where)) return this.#lister.count(selection);
    const { project_id, run_id, level } = selection;
    const counts = (await this.counts(project_id, [run_id])).get(run_id);
    return counts?.[level === 'trace' ? 'num_traces' : 'num_spans'] ?? 0;
  }

  facet(selection: RecordSelection, column_id: string, limit: number): Promise<FacetValue[]> {
    return this.#lister.facet(selection, column_id, limit);
  }

  async spanCounts(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#session.sql<{ trace_id: string; total: string }>(
      `select trace_id, count(*)::text as total from records
       where project_id = $1 and trace_id = any($2::uuid[]) and run_id = $3 and not is_trace group by trace_id`,
      [project_id, trace_ids, run_id],
    );
    return new Map(rows.map(({ trace_id, total }) => [trace_id, Number(total)]));
  }

  async models(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.#session.sql<{ trace_id: string; model: string }>(
      `select distinct trace_id, (attributes ->> 'model') collate "C" as model from records
       where project_id = $1 and trace_id = any($2::uuid[]) and run_id = $3 and attributes ->> 'model' is not null order by 2`,
      [project_id, trace_ids, run_id],
    );
    const byTrace = Map.groupBy(rows, ({ trace_id }) => trace_id);
    return new Map([...byTrace].map(([trace_id, own]) => [trace_id, own.map(({ model }) => decodeText(model))]));
  }

  /** Counted as records are written, not by reading them: what is indexed, and what waits to be. */
  async counts(project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>> {
    const rows = await this.#session.sql<{ run_id: string; num_traces: string; num_spans: string }>(
      `select run_id, sum(num_traces)::text as num_traces, sum(num_spans)::text as num_spans from (
         select run_id, num_traces, num_spans from run_counts where project_id = $1 and run_id = any($2::uuid[])
         union all select run_id, num_traces, num_spans from record_changes where project_id = $1 and run_id = any($2::uuid[])
       ) as counted group by run_id`,
      [project_id, run_ids],
    );
    return new Map(
      rows.map(({ run_id, num_traces, num_spans }) => [run_id, { num_traces: Number(num_traces), num_spans: Number(num_spans) }]),
    );
  }

  async removeAll(project_id: string, run_id?: string): Promise<void> {
    await noteRemovalForExport(this.#session, project_id, run_id);
    await this.#session.sql(LEAVE_FILES, [project_id, run_id ?? null]);
    for (const table of RUN_TABLES) {
      await this.#session.sql(`delete from ${table} where project_id = $1 and ($2::uuid is null or run_id = $2)`, [
        project_id,
        run_id ?? null,
      ]);
    }
  }
}
