import type { RunRecords } from '../projects/run-records.ts';
import type { FacetValue } from './read/facet.ts';
import type { LogRecord } from './record.ts';
import type { RecordListing, RecordSelection } from './record-query.ts';

/** Records of one request to be written. All of it or nothing is. */
export interface RecordBatch {
  readonly project_id: string;
  readonly run_id: string;
  /** Of the run when the batch was planned; see `RunContext`. */
  readonly settings_revision: number;
  /** At most one record per id, all of this project and run. */
  readonly records: readonly LogRecord[];
  /** Stored records that get their first child by this batch. */
  readonly new_parents: readonly string[];
  /** Traces to be scored once the batch is in: the request for it MUST be part of the same transaction. */
  readonly score_trace_ids: readonly string[];
  /** Traces among the records whose content was made in the belief that the run has no record of theirs yet. */
  readonly new_trace_ids?: readonly string[];
}

/**
 * - `written`: committed, and safe from a crash of this process or of the database.
 * - `written_over`: likewise, and one of `new_trace_ids` was stored already.
 * - `run_changed`: the run's settings are not of the given revision any more; nothing was written.
 */
export type WriteOutcome = 'written' | 'written_over' | 'run_changed';

/** Where a record stands. */
export interface RecordPlace {
  readonly run_id: string;
  readonly trace_id: string;
  readonly is_trace: boolean;
}

export type RecordMetrics = Pick<LogRecord, 'id' | 'trace_id' | 'type' | 'metrics'>;

/** The first records of a listing, and whether there are more in it, be it for their number or for their bytes. */
export interface RecordsWithin {
  readonly records: LogRecord[];
  readonly has_more: boolean;
}

/**
 * Traces and spans. A record is known by (run, id). Values handed in or out belong to the caller.
 */
export interface TraceStore extends RunRecords {
  /**
   * Stores a batch. A record whose id is stored already in this run is overwritten when its content differs, and left
   * alone when not. A complete trace is never made incomplete: such a record is left as it is. `has_children` and
   * `is_complete` are never taken back.
   *
   * A session that a trace names, other than its own, is stored with it unless it is stored already.
   *
   * Rejects with AppError: `run_not_found` when the run is gone; `record_in_other_trace` when a record is stored under
   * another trace; `write_queue_full` (unavailable) when too much is waiting; `database_unavailable` when the commit
   * cannot be confirmed. In each case nothing of the batch is stored, except after `database_unavailable`, where the
   * outcome is unknown and sending it again is safe.
   */
  write(batch: RecordBatch): Promise<WriteOutcome>;

  /**
   * Replaces one record by what `change` makes of it, in isolation. `change` may throw; then nothing changes.
   * Asks for scoring of its trace in the same transaction when `score` returns true for the new record.
   * Returns undefined when there is no such record in the run.
   */
  amend(
    project_id: string,
    run_id: string,
    id: string,
    change: (record: LogRecord) => LogRecord,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord | undefined>;

  /**
   * As `amend` of several records, all of them or none; one of which `change` makes nothing stays as it is. `change` may be called
   * more than once of a record. Returns those that were changed; records that the run does not hold are left out.
   */
  amendAll(
    project_id: string,
    run_id: string,
    ids: readonly string[],
    change: (record: LogRecord) => LogRecord | undefined,
    score: (trace: LogRecord) => boolean,
  ): Promise<LogRecord[]>;

  /** Newest first where several runs of the project hold the id; undefined for an unknown one. */
  find(project_id: string, id: string, run_id?: string): Promise<LogRecord | undefined>;

  /** Returns the result of `find` for each of the ids, by one look-up for all of them; unknown ones are absent. */
  findAll(project_id: string, ids: readonly string[]): Promise<Map<string, LogRecord>>;

  /** Where `find` would find the record, without reading what is in it: that may be megabytes. */
  locate(project_id: string, id: string, run_id?: string): Promise<RecordPlace | undefined>;

  /** Those of the ids that are records of the run, in any order. */
  existing(project_id: string, run_id: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * All records of a trace, the trace first, then by creation time, then in the order of the batch they came by. Empty
   * for an unknown trace.
   */
  listTrace(project_id: string, run_id: string, trace_id: string): Promise<LogRecord[]>;

  /** All records of several traces, each trace as `listTrace` has it, in no order of the traces. */
  listTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<LogRecord[]>;

  /** Metrics of traces and of the model calls in them, by one look-up for all and without what else these hold, in any order. */
  listMetrics(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordMetrics[]>;

  /** Up to `limit` + 1 records: one more than asked for says that there is a next page. */
  list(listing: RecordListing): Promise<LogRecord[]>;

  /**
   * Up to `limit` records, of which the last one begins before `maxBytes` bytes of large fields have been read; the first one comes
   * however large it is. What is behind them is not read, only found.
   */
  listWithin(listing: RecordListing, maxBytes: number): Promise<RecordsWithin>;

  count(selection: RecordSelection): Promise<number>;

  /**
   * The `limit` most frequent values of a column as text, and how many of the records have each; of equal counts by code point. A
   * record has several tags, or none, and a trace the models of its calls; one without a value counts nowhere.
   */
  facet(selection: RecordSelection, column_id: string, limit: number): Promise<FacetValue[]>;

  /** How many spans each of the traces has; one without spans, or an unknown one, is left out. */
  spanCounts(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, number>>;

  /** The models that spans of each of the traces name, each once, by code point; a trace without any is left out. */
  models(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<Map<string, string[]>>;
}
