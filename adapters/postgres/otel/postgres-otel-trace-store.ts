import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { mapInSlices } from '../../../core/kernel/slices.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { ExistingRecord, OtelTraceStore } from '../../../core/otel/otel-trace-store.ts';
import type { SpanOutline } from '../../../core/otel/spans/span-outline.ts';
import { type TraceDraft, toTraceDraft } from '../../../core/otel/trace-draft.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { NewColumn } from '../../../core/traces/columns/observed-columns.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { BatchedLookup } from '../database/batched-lookup.ts';
import { isUnavailable, unavailable } from '../database/database-failure.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { decodeText, readJson } from '../database/text-codec.ts';
import type { ColumnNotes } from '../traces/column-notes.ts';
import type { EnqueueWithin } from '../traces/group-writer.ts';
import { type RecordRow, toRecord } from '../traces/record-row.ts';
import { NOTE_CHANGE, REPLACE_RECORDS, SELECT_RECORD } from '../traces/record-statements.ts';
import { rowJson } from '../traces/stored-columns.ts';

/**
 * `$1` project, `$2` run, `$3` ids. Put so that no index but the primary key serves: the comparison of `run_id` hides an
 * index over the run, and the inner array how many ids there are, which on a table without statistics look as if they
 * held for most rows.
 */
const BY_IDS = 'r.project_id = $1 and (r.run_id = $2) is true and r.id = any(array(select unnest($3::uuid[])))';

/** In the same way. */
const FIND = `
select r.id, r.trace_id, r.session_id, r.attributes -> 'of_trace' ->> 'ended_at' as ended_at from records r
where r.project_id = wanted.project_id and (r.run_id = wanted.run_id) is true and r.id = wanted.id`;

const HOLD_RUN = `
select jsonb_array_length(metric_settings -> 'scorers') > 0 as has_scorers from runs where project_id = $1 and id = $2 for share`;

/** In the order in which writers lock. Asked for by type, because an index over `is_trace` would look as good as the key. */
const HOLD_TRACES = `select ${SELECT_RECORD} from records r where ${BY_IDS} and r.type = 'trace' order by r.id for update of r`;

const SELECT_RECORDS = `select ${SELECT_RECORD} from records r where ${BY_IDS}`;

/** `$3` traces, looked up one by one: a condition on all of them looks to the planner as if it held for most rows. */
const OUTLINES = `
select outline.* from unnest($3::uuid[]) as wanted(trace_id) cross join lateral (
  select r.id, r.trace_id, r.parent_id, r.session_id, r.type, r.name, r.created_at, r.status_code, r.tags, r.external_id,
    r.metrics::text as metrics, r.has_children, (r.attributes -> 'of_trace')::text as of_trace
  from records r
  where r.project_id = $1 and r.trace_id = wanted.trace_id and (r.run_id = $2) is true and not r.is_trace
    and r.attributes -> 'of_trace' is not null
  offset 0
) outline`;

/** As writers lock them. */
const HOLD_SPANS = `${SELECT_RECORDS} and not r.is_trace order by r.id for update of r`;

/** `$3` spans. As `MARK_PARENTS`, for connections that plan as they like. */
const MARK = `
with marked as (update records r set has_children = true where ${BY_IDS} and not r.has_children returning r.id)
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select $1::uuid, $2::uuid, array_agg(id), 0, 0 from marked having count(*) > 0`;

/** `$3` spans, `$4` the session of each. */
const MOVE_TO_SESSIONS = `
update records r set session_id = moved.session_id, updated_at = clock_timestamp()
from unnest($3::uuid[], $4::uuid[]) as moved(id, session_id)
where r.project_id = $1 and r.id = moved.id and (r.run_id = $2) is true`;

/** Rows that are read without a turn for others: a trace may have any number of spans. */
const OUTLINES_AT_ONCE = 1_000;

type OutlineRow = Pick<RecordRow, keyof SpanOutline & keyof RecordRow> & { readonly of_trace: string };

export class PostgresOtelTraceStore implements OtelTraceStore {
  readonly #session: PostgresSession;
  readonly #columns: ColumnNotes;
  readonly #enqueueWithin: EnqueueWithin;
  readonly #standing: BatchedLookup<ExistingRecord>;

  constructor(deps: { session: PostgresSession; columns: ColumnNotes; enqueueWithin: EnqueueWithin }) {
    this.#session = deps.session;
    this.#columns = deps.columns;
    this.#enqueueWithin = deps.enqueueWithin;
    this.#standing = new BatchedLookup(deps.session, FIND);
  }

  async standings(project_id: string, run_id: string, ids: readonly string[]): Promise<Map<string, ExistingRecord>> {
    const found = await this.#standing.find(project_id, run_id, ids);
    return new Map(found.map((record) => [record.id, record]));
  }

  async reassemble(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<void> {
    try {
      const news = await retryOnConflict(() => this.#session.run(() => this.#reassemble(project_id, run_id, trace_ids)));
      this.#columns.remember(news);
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  }

  async #reassemble(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<NewColumn[]> {
    const sql = <Row>(text: string, ...more: unknown[]) => this.#session.sql<Row>(text, [project_id, run_id, ...more]);
    const [run] = await sql<{ has_scorers: boolean }>(HOLD_RUN);
    if (!run) return [];
    const stored = (await sql<RecordRow>(HOLD_TRACES, trace_ids)).map(toRecord);
    const outlines = await mapInSlices(await sql<OutlineRow>(OUTLINES, trace_ids), OUTLINES_AT_ONCE, computeOutline);
    await nextTurn();
    const byTrace = Map.groupBy(outlines, ({ trace_id }) => trace_id);
    const drafts = stored.map(({ id }) => toTraceDraft(byTrace.get(id) ?? []));
    const needs = drafts.flatMap((draft) => draft.needs);
    const spans = needs.length > 0 ? (await sql<RecordRow>(SELECT_RECORDS, needs)).map(toRecord) : [];
    const made = stored.map((trace, at) => drafts[at]!.finish(trace, spans));
    const calls = await this.#changedCalls({ project_id, run_id }, drafts);
    const changed = [...made.filter((trace, at) => !isDeepStrictEqual(trace, stored[at])), ...calls];
    if (changed.length > 0) {
      await this.#session.sql(REPLACE_RECORDS, [`[${changed.map((record) => rowJson(record)).join(',')}]`]);
      await sql(NOTE_CHANGE, ids(changed), 0, 0);
    }
    const parents = drafts.flatMap((draft) => draft.new_parents);
    if (parents.length > 0) await sql(MARK, parents);
    const sessions = new Map(made.map(({ id, session_id }) => [id, session_id]));
    const moved = outlines.filter(({ trace_id, session_id }) => sessions.has(trace_id) && sessions.get(trace_id) !== session_id);
    const targets = moved.map(({ trace_id }) => sessions.get(trace_id));
    if (moved.length > 0) {
      await sql(MOVE_TO_SESSIONS, ids(moved), targets);
      await sql(NOTE_CHANGE, ids(moved), 0, 0);
    }
    const complete = run.has_scorers ? made.filter(({ is_complete }) => is_complete) : [];
    return this.#ask({ project_id, run_id, trace_ids: ids(complete) }, changed);
  }

  /** Spans whose records change because of which calls count, as they are to be. */
  async #changedCalls(
    { project_id, run_id }: Pick<ScoringJob, 'project_id' | 'run_id'>,
    drafts: readonly TraceDraft[],
  ): Promise<LogRecord[]> {
    const byId = new Map(drafts.flatMap((draft) => draft.changed_calls.map((id) => [id, draft] as const)));
    if (byId.size === 0) return [];
    const spans = (await this.#session.sql<RecordRow>(HOLD_SPANS, [project_id, run_id, [...byId.keys()]])).map(toRecord);
    const made = spans.map((span) => byId.get(span.id)!.toChanged(span));
    return made.filter((span, at) => span !== spans[at]);
  }

  /** Returns the columns that nobody knew of, to be remembered. */
  async #ask(job: ScoringJob, changed: readonly LogRecord[]): Promise<NewColumn[]> {
    const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
    if (job.trace_ids.length > 0) await this.#enqueueWithin(sql, [job]);
    const news = this.#columns.unknownIn(changed);
    await this.#columns.write(sql, news);
    return news;
  }
}

const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

function computeOutline(row: OutlineRow): SpanOutline {
  return {
    ...(row as unknown as SpanOutline),
    name: decodeText(row.name as string),
    created_at: toUtc(row.created_at as string)!,
    tags: ((row.tags as string[] | null) ?? []).map(decodeText),
    external_id: decodeText(row.external_id as string),
    metrics: json(row.metrics as string | null) as SpanOutline['metrics'],
    of_trace: json(row.of_trace) as SpanOutline['of_trace'],
  };
}

const json = (text: string | null): unknown => (text === null ? {} : readJson(text));
