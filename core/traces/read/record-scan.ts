import type { LogRecord } from '../record.ts';
import type { RecordListing, RecordSelection } from '../record-query.ts';

export interface RecordKey {
  readonly id: string;
  readonly trace_id: string;
}

/** Fields of a record that are read when its payloads do not matter. */
export type RecordOutline = Pick<
  LogRecord,
  'id' | 'trace_id' | 'parent_id' | 'session_id' | 'type' | 'name' | 'created_at' | 'metrics'
>;

/**
 * Walks over any number of records in bounded memory. Nothing is read before it is asked for, and nothing more once the
 * caller stops iterating; no transaction and no connection is held in between, so a slow reader costs nothing.
 * A record that is removed before its turn is left out. One that comes in behind the place of the walk may be met.
 */
export interface RecordScan {
  /** Whole records in the given order, in pages of some megabytes at most; a larger record is a page of its own. */
  records(selection: RecordSelection, sort: RecordListing['sort']): AsyncIterable<readonly LogRecord[]>;

  /**
   * Newest first by creation time, `size` at a time. Records that come in later and began later are never met, so the
   * walk ends however much is being logged. What was met may be removed on the way.
   */
  keys(selection: RecordSelection, size: number): AsyncIterable<readonly RecordKey[]>;

  /** All records of the given traces, each trace first, then by creation time. Unknown traces have none. */
  outlines(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordOutline[]>;
}
