import type { RecordSelection } from '../record-query.ts';

/** How many records have to be looked at for a selection, from what is counted beside them: no record is read for it. */
export interface RecordEstimates {
  /**
   * At least the records of the selection, at most those of its run and level; in between, the fewest that a condition which has to hold
   * on `id`, `trace_id`, `session_id` or `created_at` (by whole hours) leaves, or those that the record index finds for words, metrics and
   * ratings. When the run and level have at most `enough`, their number may be returned as it is.
   */
  estimate(selection: RecordSelection, enough: number): Promise<number>;
}
