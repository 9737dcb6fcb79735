import type { JsonValue } from '../kernel/json.ts';
import type { RecordSelection } from '../traces/record-query.ts';

/** How often scorers gave one value to records of a selection. */
export interface ScoreTally {
  readonly metric_name: string;
  readonly value: JsonValue;
  readonly count: number;
}

/** A trace of a run and the row it was made from, as far as it says. */
export interface RowTrace {
  readonly trace_id: string;
  readonly row_id: string | null;
  readonly dataset_input: string | null;
}

/** The numbers of one name on the records of one type in one trace, added up. Yes is 1 and no is 0. */
export interface TraceNumber {
  readonly trace_id: string;
  readonly name: string;
  readonly type: string;
  /** Whether a scorer gave them, or they came with the records. */
  readonly is_score: boolean;
  readonly is_yes_no: boolean;
  readonly sum: number;
  readonly count: number;
}

/** Scores of whole runs, read from the scores themselves: exact, and up to date. Of several scores of a name the newest counts. */
export interface RunScores {
  /** Results on the selected traces and on all records in them. The most frequent ones, in any order. */
  tallies(selection: RecordSelection, limit: number): Promise<ScoreTally[]>;
  /** By creation time, ties by ascending id; one more than `limit` when there are more. */
  traces(project_id: string, run_id: string, limit: number): Promise<RowTrace[]>;
  /** In any order. */
  numbers(project_id: string, run_id: string): Promise<TraceNumber[]>;
}
