import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { RecordSearch, type RecordSelection, toRecordCondition } from '../record-query.ts';

/** The name of the job that prices stored calls anew. */
export const COST_RECOMPUTE = 'recompute_costs';

/** In which traces calls are priced anew. The fields of a page are taken and not looked at: all that match are meant. */
export const CostRecomputeRequest = RecordSearch.extend({ dry_run: withDefault(z.boolean(), false) }).meta({
  id: 'CostRecomputeRequest',
});
export type CostRecomputeRequest = z.output<typeof CostRecomputeRequest>;

export const CostRecomputeReply = z
  .object({
    message: z.string(),
    records: z.int().describe('Traces that match.'),
    dry_run: z.boolean(),
    job_id: z.string().nullable().describe('The job that prices them; null for a dry run.'),
  })
  .meta({ id: 'CostRecomputeReply' });
export type CostRecomputeReply = z.output<typeof CostRecomputeReply>;

export const selectTraces = (project_id: string, run_id: string, request: CostRecomputeRequest): RecordSelection => ({
  project_id,
  run_id,
  level: 'trace',
  where: toRecordCondition(request),
});
