import type { JsonValue } from '../../kernel/json.ts';
import type { RatingType } from '../../ratings/rating.ts';
import type { ObservedColumn } from './observed-columns.ts';

/** Records of a run, from the first timestamp on and up to the last; without them, all. */
export interface RunWindow {
  readonly project_id: string;
  readonly run_id: string;
  readonly start_time: string | undefined;
  readonly end_time: string | undefined;
}

/** A column of ratings, which are of a type. */
export interface RatedColumn {
  readonly column_id: string;
  readonly rating_type: RatingType;
  /** Whether a record in the window has such a rating. */
  readonly is_filled: boolean;
}

/** Which columns the records of a run have. */
export interface ColumnStore {
  /**
   * Columns ever observed in records of the run, in any order: a column stays when its records are gone. Of names of
   * the senders' own, the first `MAX_NAMES_PER_PLACE` of a record are looked at, and `MAX_OWN_COLUMNS` of a run are
   * kept and returned. Empty for an unknown run.
   */
  seen(project_id: string, run_id: string): Promise<ObservedColumn[]>;

  /**
   * Those of the given columns that some record has a value of: one that is neither missing nor an empty text or list.
   * Of metrics only those count that came with the record. Costs little where the newest records have all of them.
   */
  filled(window: RunWindow, column_ids: readonly string[]): Promise<Set<string>>;

  /**
   * The columns of ratings that records of the run have had, or sessions of it, and whether there is one in the window: each
   * column once for each type of its values, and at most `MAX_OWN_COLUMNS` of feedback and of annotations each.
   */
  rated(window: RunWindow, of: 'records' | 'sessions'): Promise<RatedColumn[]>;

  /** A value by each of the names that scorers have given one to a record by; names without are left out. */
  scored(window: RunWindow, metric_names: readonly string[]): Promise<Map<string, JsonValue>>;
}
