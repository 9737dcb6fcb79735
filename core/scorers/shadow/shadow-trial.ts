import { z } from 'zod';
import { Id } from '../../kernel/text.ts';

/** A version of a scorer that scores a share of what its scorer scores in a run, where nobody takes it for the scorer's word. */
export const ShadowTrial = z
  .object({
    project_id: z.string(),
    run_id: z.string(),
    scorer_id: z.string(),
    /** The candidate. */
    scorer_version_id: z.string(),
    sample_rate: z.number(),
    started_by: z.string().nullable(),
    started_at: z.string(),
  })
  .meta({ id: 'ShadowTrial' });
export type ShadowTrial = z.output<typeof ShadowTrial>;

export const NewShadowTrial = z
  .object({
    scorer_version_id: Id,
    /** The share of what the scorer scores, by traces; of sessions by themselves. */
    sample_rate: z.number().gt(0).max(1),
  })
  .meta({ id: 'NewShadowTrial' });
export type NewShadowTrial = z.output<typeof NewShadowTrial>;
