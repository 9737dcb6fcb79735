import { AppError } from '../../../core/kernel/errors.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { Clock } from '../../../core/kernel/ports.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { RunDirectory } from '../../../core/projects/run-context.ts';
import type { RecordCounts } from '../../../core/projects/run-records.ts';
import { parseRatingColumn, type RatingColumn } from '../../../core/ratings/rating-column.ts';
import type { RecordKey } from '../../../core/ratings/rating-store.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { findColumn, type Judged } from '../../../core/traces/columns/column.ts';
import { isModelCall } from '../../../core/traces/ingest/computed-metrics.ts';
import type { FacetValue } from '../../../core/traces/read/facet.ts';
import { LARGE_FIELDS, withoutLargeFields } from '../../../core/traces/read/projected-record.ts';
import { byColumn, matches } from '../../../core/traces/read/record-match.ts';
import { valueText } from '../../../core/traces/read/value-text.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { isOfCalls, type RecordListing, type RecordSelection } from '../../../core/traces/record-query.ts';
import { mentionedSessions, type StoredSession } from '../../../core/traces/sessions/session.ts';
import type {
  RecordBatch,
  RecordMetrics,
  RecordPlace,
  RecordsWithin,
  TraceStore,
  WriteOutcome,
} from '../../../core/traces/trace-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export interface MemoryTraceDeps {
  readonly runDirectory: RunDirectory;
  readonly clock: Clock;
  enqueue(job: ScoringJob): void;
  /** Returns the value of the newest score of this name on a record; null where there is none. */
  toScore(record: LogRecord, metric_name: string): JsonValue;
  /** Returns how far the judges of that score agreed. */
  toAgreement(record: LogRecord, metric_name: string): number | null;
  /** Returns the value of a column of ratings of a record or a session; null where there is none. */
  toRating(key: RecordKey, column: RatingColumn): JsonValue;
  /** Returns how many comments a record or a session has. */
  countComments(key: RecordKey): number;
  /** Keeps those of the sessions that are not there yet. */
  keepSessions(sessions: readonly StoredSession[]): void;
  /** Told of every record that is stored. */
  noteColumns(records: readonly LogRecord[]): void;
  /** Told of records that were stored or changed. */
  noteChange(project_id: string, run_id: string, ids: readonly string[]): void;
  /** Removes what was told of the columns, likewise. */
  removeColumns(project_id: string, run_id?: string): void;
  /** Log records of the spans, of all of them where none are named. */
  removeLogs(project_id: string, run_id: string | undefined, ids?: readonly string[]): void;
  /** Ratings of the records and sessions, likewise. */
  removeRatings(project_id: string, run_id: string | undefined, ids?: readonly string[]): void;
  /** Removes the scores of a run, or of a whole project. */
  removeScores(project_id: string, run_id?: string): void;
  /** Removes the sessions likewise. */
  removeSessions(project_id: string, run_id?: string): void;
}

const getKey = (project_id: string, run_id: string, id: string): string => `${project_id} ${run_id} ${id}`;

export class MemoryTraceStore implements TraceStore {
  readonly #deps: MemoryTraceDeps;
  readonly #records: Table<string, LogRecord>;

  constructor(deps: MemoryTraceDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#records = deps.database.table();
  }

  async write(batch: RecordBatch): Promise<WriteOutcome> {
    const { project_id, run_id, settings_revision, records, new_parents, score_trace_ids, new_trace_ids = [] } = batch;
    const run = await this.#deps.runDirectory.findRun(project_id, run_id, true);
    if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    if (run.settings_revision !== settings_revision) return 'run_changed';
    for (const record of records) this.#refuseOtherTrace(record);
    const isOver = new_trace_ids.some((id) => this.#records.has(getKey(project_id, run_id, id)));
    const updated_at = this.#deps.clock().toISOString();
    for (const record of records) this.#put(structuredClone(record), updated_at);
    this.#deps.keepSessions(mentionedSessions(records));
    this.#deps.noteColumns(records);
    this.#deps.noteChange(project_id, run_id, toIds(records));
    for (const id of new_parents) {
      const parent = this.#records.get(getKey(project_id, run_id, id));
      if (parent) this.#records.set(getKey(project_id, run_id, id), { ...parent, has_children: true });
    }
    if (score_trace_ids.length > 0) this.#deps.enqueue({ project_id, run_id, trace_ids: score_trace_ids });
    return isOver ? 'written_over' : 'written';
  }

  async amend(
    project_id: string,
    run_id: string,
    id: string,
    change: (record: LogRecord) => LogRecord,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord | undefined> {
    const run = await this.#deps.runDirectory.findRun(project_id, run_id, true);
    const stored = this.#records.get(getKey(project_id, run_id, id));
    if (!run || !stored) return undefined;
    const changed = change(this.#shown(stored));
    this.#deps.noteColumns([changed]);
    this.#deps.noteChange(project_id, run_id, [id]);
    this.#records.set(getKey(project_id, run_id, id), {
      ...structuredClone(changed),
      updated_at: this.#deps.clock().toISOString(),
    });
    if (run.has_scorers && score(changed)) this.#deps.enqueue({ project_id, run_id, trace_ids: [changed.trace_id] });
    return structuredClone(changed);
  }

  async amendAll(
    project_id: string,
    run_id: string,
    ids: readonly string[],
    change: (record: LogRecord) => LogRecord | undefined,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord[]> {
    const run = await this.#deps.runDirectory.findRun(project_id, run_id, true);
    const stored = ids.flatMap((id) => (run && this.#records.get(getKey(project_id, run_id, id))) ?? []);
    const changed = stored.flatMap((record) => change(this.#shown(record)) ?? []);
    this.#deps.noteColumns(changed);
    this.#deps.noteChange(project_id, run_id, toIds(changed));
    const updated_at = this.#deps.clock().toISOString();
    for (const record of changed)
      this.#records.set(getKey(project_id, run_id, record.id), { ...structuredClone(record), updated_at });
    const trace_ids = [...new Set((run?.has_scorers ? changed.filter(score) : []).map(({ trace_id }) => trace_id))];
    if (trace_ids.length > 0) this.#deps.enqueue({ project_id, run_id, trace_ids });
    return structuredClone(changed);
  }

  /** All records of a run; the objects are the store's own and MUST NOT be changed. */
  toRecords(project_id: string, run_id?: string): readonly LogRecord[] {
    return [...this.#records.values()].filter(
      (record) => record.project_id === project_id && (run_id === undefined || record.run_id === run_id),
    );
  }

  /** Of all projects; not to be changed either. */
  incompleteTraces(): readonly LogRecord[] {
    return [...this.#records.values()].filter(({ type, is_complete }) => type === 'trace' && !is_complete);
  }

  async find(project_id: string, id: string, run_id?: string): Promise<LogRecord | undefined> {
    const newest = this.#newest(project_id, id, run_id);
    return newest && this.#shown(newest);
  }

  async findAll(project_id: string, ids: readonly string[]): Promise<Map<string, LogRecord>> {
    const wanted = new Set(ids);
    const found = [...this.#records.values()].filter((record) => record.project_id === project_id && wanted.has(record.id));
    // Of those with one id the last in a map stays: the newest.
    const sorted = found.sort(byColumn({ column_id: 'created_at', ascending: true }));
    return new Map(sorted.map((record) => [record.id, this.#shown(record)]));
  }

  async locate(project_id: string, id: string, run_id?: string): Promise<RecordPlace | undefined> {
    const newest = this.#newest(project_id, id, run_id);
    return newest && { run_id: newest.run_id, trace_id: newest.trace_id, is_trace: newest.type === 'trace' };
  }

  async existing(project_id: string, run_id: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const inRun = [...this.#records.values()].filter((record) => record.project_id === project_id && record.run_id === run_id);
    const known = new Set(inRun.map(({ id }) => id));
    return new Set(ids.filter((id) => known.has(id)));
  }

  #newest(project_id: string, id: string, run_id: string | undefined): LogRecord | undefined {
    const found = [...this.#records.values()].filter(
      (record) => record.project_id === project_id && record.id === id && (run_id === undefined || record.run_id === run_id),
    );
    return found.sort(byColumn({ column_id: 'created_at', ascending: false }))[0];
  }

  async listTrace(project_id: string, run_id: string, trace_id: string): Promise<LogRecord[]> {
    const own = [...this.#records.values()].filter(
      (record) => record.project_id === project_id && record.run_id === run_id && record.trace_id === trace_id,
    );
    const rank = ({ type, created_at }: LogRecord): string => `${type === 'trace' ? 0 : 1} ${sortableTime(created_at)}`;
    return own.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0)).map((record) => this.#shown(record));
  }

  async list({ sort, starting_token, limit, after, fields, ...selection }: RecordListing): Promise<LogRecord[]> {
    const order = byColumn(sort, (record) => this.#judged(record));
    const ordered = this.#select(selection).sort(order);
    const last = after === undefined ? undefined : this.#records.get(getKey(selection.project_id, selection.run_id, after));
    if (after !== undefined && !last) return [];
    const behind = last ? ordered.filter((record) => order(record, this.#shown(last)) > 0) : ordered;
    const page = behind.slice(starting_token, starting_token + limit + 1);
    return fields ? page.map((record) => withoutLargeFields(record, fields)) : page;
  }

  async listWithin(listing: RecordListing, maxBytes: number): Promise<RecordsWithin> {
    const found = await this.list(listing);
    const records: LogRecord[] = [];
    for (let room = maxBytes; records.length < listing.limit && records.length < found.length && room > 0; ) {
      const record = found[records.length]!;
      records.push(record);
      room -= Buffer.byteLength(JSON.stringify(LARGE_FIELDS.map((name) => record[name])));
    }
    return { records, has_more: found.length > records.length };
  }

  async count(selection: RecordSelection): Promise<number> {
    return this.#select(selection).length;
  }

  async facet(selection: RecordSelection, column_id: string, limit: number): Promise<FacetValue[]> {
    const column = findColumn(column_id);
    const isList = column_id === 'tags' || parseRatingColumn(column_id) !== undefined;
    const selected = this.#select(selection);
    const ofCalls = isOfCalls(column_id) && selection.level === 'trace';
    const called = ofCalls ? this.#valuesOfCalls(selection, selected, column_id) : undefined;
    const values = selected.flatMap((record): (string | null)[] => {
      if (called) return called.get(record.id) ?? [];
      const value = column?.value(record, this.#judged(record)) ?? null;
      return isList ? [...new Set([value].flat() as JsonValue[])].map(valueText) : [valueText(value)];
    });
    const groups = Map.groupBy(
      values.filter((value) => value !== null),
      (value) => value,
    );
    const counted = [...groups].map(([value, own]) => ({ value, count: own.length }));
    return counted.sort((a, b) => b.count - a.count || compareText(a.value, b.value)).slice(0, limit);
  }

  async spanCounts(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, number>> {
    const spans = this.toRecords(project_id, run_id).filter(
      ({ type, trace_id }) => type !== 'trace' && trace_ids.includes(trace_id),
    );
    const byTrace = Map.groupBy(spans, ({ trace_id }) => trace_id);
    return new Map([...byTrace].map(([trace_id, own]) => [trace_id, own.length]));
  }

  async models(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, string[]>> {
    return this.#attributesOf({ project_id, run_id }, trace_ids, 'model');
  }

  async counts(project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>> {
    const counts = new Map<string, RecordCounts>();
    for (const record of this.#records.values()) {
      if (record.project_id !== project_id || !run_ids.includes(record.run_id)) continue;
      const { num_traces, num_spans } = counts.get(record.run_id) ?? { num_traces: 0, num_spans: 0 };
      const isTrace = record.type === 'trace';
      counts.set(record.run_id, { num_traces: num_traces + (isTrace ? 1 : 0), num_spans: num_spans + (isTrace ? 0 : 1) });
    }
    return counts;
  }

  async removeAll(project_id: string, run_id?: string): Promise<void> {
    for (const [key, record] of this.#records) {
      if (record.project_id === project_id && (run_id === undefined || record.run_id === run_id)) this.#records.delete(key);
    }
    this.#deps.removeScores(project_id, run_id);
    this.#deps.removeSessions(project_id, run_id);
    this.#deps.removeColumns(project_id, run_id);
    this.#deps.removeLogs(project_id, run_id);
    this.#deps.removeRatings(project_id, run_id);
  }

  async listTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<LogRecord[]> {
    const traces = await Promise.all(trace_ids.map((id) => this.listTrace(project_id, run_id, id)));
    return traces.flat();
  }

  async listMetrics(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordMetrics[]> {
    const wanted = new Set(trace_ids);
    return this.toRecords(project_id, run_id)
      .filter((record) => wanted.has(record.trace_id) && (record.type === 'trace' || isModelCall(record)))
      .map(({ id, trace_id, type, metrics }) => structuredClone({ id, trace_id, type, metrics }));
  }

  /** Those of the given records that were there. */
  remove(project_id: string, run_id: string, ids: readonly string[]): LogRecord[] {
    this.#deps.removeLogs(project_id, run_id, ids);
    this.#deps.removeRatings(project_id, run_id, ids);
    const keys = ids.map((id) => getKey(project_id, run_id, id));
    const gone = keys.map((key) => this.#records.get(key)).filter((record) => record !== undefined);
    for (const key of keys) this.#records.delete(key);
    return gone;
  }

  /** Says of those of the given records that have no children that they have none. */
  markChildless(project_id: string, run_id: string, ids: readonly string[]): void {
    const parents = new Set(this.toRecords(project_id, run_id).map(({ parent_id }) => parent_id));
    for (const id of ids) {
      const record = this.#records.get(getKey(project_id, run_id, id));
      if (record && !parents.has(id)) this.#records.set(getKey(project_id, run_id, id), { ...record, has_children: false });
    }
  }

  has(project_id: string, run_id: string, id: string): boolean {
    return this.#records.has(getKey(project_id, run_id, id));
  }

  #valuesOfCalls(selection: RecordSelection, traces: readonly LogRecord[], column_id: string): Map<string, string[]> {
    return this.#attributesOf(
      selection,
      traces.map(({ id }) => id),
      column_id,
    );
  }

  /** The different values of an attribute of the spans of traces, ascending. */
  #attributesOf(
    { project_id, run_id }: Pick<RecordSelection, 'project_id' | 'run_id'>,
    trace_ids: readonly string[],
    name: string,
  ): Map<string, string[]> {
    const wanted = new Set(trace_ids);
    const found = new Map<string, Set<string>>();
    for (const { trace_id, attributes } of this.toRecords(project_id, run_id)) {
      const value = attributes[name];
      if (wanted.has(trace_id) && typeof value === 'string') found.set(trace_id, (found.get(trace_id) ?? new Set()).add(value));
    }
    return new Map([...found].map(([trace_id, values]) => [trace_id, [...values].sort(compareText)]));
  }

  #select({ project_id, run_id, level, where }: RecordSelection): LogRecord[] {
    const all = this.toRecords(project_id, run_id);
    const spans = level === 'trace' ? Map.groupBy(all, ({ trace_id }) => trace_id) : undefined;
    return all
      .filter((record) => (record.type === 'trace') === (level === 'trace'))
      .map((record) => this.#shown(record))
      .filter((record) => matches(where, record, this.#judged(record), spans?.get(record.id)));
  }

  #judged(record: LogRecord): Judged {
    const { project_id, run_id, id: record_id } = record;
    const key = { project_id, run_id, record_id };
    return {
      score: (metric_name) => this.#deps.toScore(record, metric_name),
      agreement: (metric_name) => this.#deps.toAgreement(record, metric_name),
      rating: (column) => this.#deps.toRating(key, column),
      comments: () => this.#deps.countComments(key),
    };
  }

  #put(record: LogRecord, updated_at: string): void {
    const key = getKey(record.project_id, record.run_id, record.id);
    const before = this.#records.get(key);
    if (!before) return void this.#records.set(key, { ...record, updated_at });
    if (before.type === 'trace' && before.is_complete && !record.is_complete) return;
    const after = {
      ...record,
      is_complete: before.is_complete || record.is_complete,
      has_children: before.has_children || record.has_children,
      updated_at: before.updated_at,
    };
    if (JSON.stringify(sortedKeys(after)) !== JSON.stringify(sortedKeys(before)))
      this.#records.set(key, { ...after, updated_at });
  }

  #refuseOtherTrace({ project_id, run_id, id, trace_id }: LogRecord): void {
    const before = this.#records.get(getKey(project_id, run_id, id));
    if (!before || before.trace_id === trace_id) return;
    const msg = `record ${id} is stored under another trace`;
    throw new AppError('invalid', 'record_in_other_trace', msg, {
      issues: [{ loc: ['body'], msg, type: 'record_in_other_trace' }],
    });
  }

  /** A span is as complete as its trace. */
  #shown(record: LogRecord): LogRecord {
    const trace = this.#records.get(getKey(record.project_id, record.run_id, record.trace_id));
    return structuredClone({ ...record, is_complete: trace?.is_complete ?? record.is_complete });
  }
}

/** The same content in any order of keys is the same content. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, child]) => [key, sortedKeys(child)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const toIds = (records: readonly LogRecord[]): string[] => records.map(({ id }) => id);
