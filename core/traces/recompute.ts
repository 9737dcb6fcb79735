import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { Id } from '../kernel/text.ts';
import { RecordSearch } from './record-query.ts';

/** Which scorers have to judge which traces again. The fields of a page are taken and not looked at: all that match are meant. */
export const RecomputeRequest = RecordSearch.extend({
  scorer_ids: z.array(Id).min(1).max(200),
  dry_run: withDefault(z.boolean(), false),
}).meta({ id: 'RecomputeRequest' });
export type RecomputeRequest = z.output<typeof RecomputeRequest>;

export interface Rescoring {
  /**
   * Removes what the scorers said of the traces and of all records in them, and asks for the scoring of the traces, both
   * or neither. A worker scores only what has no result, so that every one of them is judged again. May be repeated.
   * Answers how many results were removed.
   */
  rescore(project_id: string, run_id: string, trace_ids: readonly string[], scorer_ids: readonly string[]): Promise<number>;
}
