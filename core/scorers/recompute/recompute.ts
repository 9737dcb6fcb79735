import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { Id } from '../../kernel/text.ts';
import { RecordSearch, type RecordSelection, toRecordCondition } from '../../traces/record-query.ts';

/** The name of the job that hands traces to scorers again. */
export const RECOMPUTE = 'recompute_metrics';

/** Which scorers have to judge which traces again. The fields of a page are taken and not looked at: all that match are meant. */
export const RecomputeRequest = RecordSearch.extend({
  scorer_ids: z.array(Id).min(1).max(200),
  dry_run: withDefault(z.boolean(), false),
}).meta({ id: 'RecomputeRequest' });
export type RecomputeRequest = z.output<typeof RecomputeRequest>;

export const RecomputeReply = z
  .object({
    message: z.string(),
    records: z.int().describe('Traces that match.'),
    estimated_cost: z.number().nullable().describe('US dollars, by what the scorers took lately; null when that is not known.'),
    dry_run: z.boolean(),
    job_id: z.string().nullable().describe('The job that hands them over; null for a dry run.'),
  })
  .meta({ id: 'RecomputeReply' });
export type RecomputeReply = z.output<typeof RecomputeReply>;

export const selectionOfTraces = (project_id: string, run_id: string, request: RecomputeRequest): RecordSelection => ({
  project_id,
  run_id,
  level: 'trace',
  where: toRecordCondition(request),
});

export interface Rescoring {
  /**
   * Removes what the scorers said, up to a timestamp, of the traces, of all records in them and of their sessions, and asks
   * for the scoring of the traces, both or neither. A worker scores only what has no result, so that every one of them is judged again. May be repeated.
   * Returns how many results were removed.
   */
  rescore(
    project_id: string,
    run_id: string,
    trace_ids: readonly string[],
    scorer_ids: readonly string[],
    until: string,
  ): Promise<number>;
}
