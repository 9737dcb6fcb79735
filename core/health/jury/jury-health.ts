import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import { Health } from '../health-score.ts';

export const JuryHealthQuery = z.object({ template_id: Id.optional() });
export const WeighedVersionRequest = z.object({ template_id: Id.nullish() }).meta({ id: 'WeighedVersionRequest' });

const JurorHealth = z.object({
  model: z.string(),
  weight: z.number().describe('In the version that judged.'),
  health: Health,
});

/** Health of the scorer of a queue by the answers that are there now. */
export const JuryHealth = z
  .object({
    template_id: z.string().describe('The question whose answers are the truth.'),
    scorer_id: z.string(),
    scorer_version_id: z
      .string()
      .nullable()
      .describe('The version that judged last; null where none judged a record that is done.'),
    scorer_version_number: z.int().nullable(),
    records: z.int().describe('Records that are done: the newest 10,000 at most.'),
    health: Health.nullable().describe('Of the scorer; null where no version judged.'),
    jurors: z.array(JurorHealth).describe('Of each juror by its own votes; empty where no jury judged.'),
  })
  .meta({ id: 'JuryHealth' });
export type JuryHealth = z.output<typeof JuryHealth>;
