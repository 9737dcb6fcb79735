import { z } from 'zod';
import { Timestamp } from '../../kernel/timestamp.ts';
import { CHANGES } from './stability.ts';

const Window = z.object({ start_time: z.string(), end_time: z.string() });

export const DriftBin = z
  .object({
    lower: z.number().nullable().describe('Values above it; null for all that are below the others, and for models.'),
    upper: z.number().nullable().describe('Values up to it; null for all that are above the others, and for models.'),
    value: z.string().nullable().describe('The model; null for bins of numbers, and for calls that name no model.'),
    reference_count: z.int(),
    current_count: z.int(),
  })
  .meta({ id: 'DriftBin' });
export type DriftBin = z.output<typeof DriftBin>;

/** How far one distribution has moved from that of the reference. */
export const DriftMeasure = z
  .object({
    of: z.enum(['score', 'input_tokens', 'model']),
    stability_index: z.number().nullable().describe('The population stability index; null where a window has no values.'),
    chance_level: z
      .number()
      .nullable()
      .describe('95 of 100 indexes stay below it when nothing has changed, by the sizes of the windows.'),
    change: z
      .enum(CHANGES)
      .nullable()
      .describe('`moderate` from 0.1 on, `significant` from 0.25; `none` also where the index is not beyond what chance brings.'),
    unknown_because: z.string().nullable(),
    reference_count: z.int(),
    current_count: z.int(),
    bins: z.array(DriftBin),
  })
  .meta({ id: 'DriftMeasure' });
export type DriftMeasure = z.output<typeof DriftMeasure>;

export const ScorerDrift = z
  .object({
    scorer_id: z.string(),
    metric_name: z.string(),
    reference: Window,
    current: Window,
    measures: z.array(DriftMeasure),
  })
  .meta({
    id: 'ScorerDrift',
    description: 'Values of a scorer and what it judges, in a window against those in a reference window.',
  });
export type ScorerDrift = z.output<typeof ScorerDrift>;

export const DriftQuery = z.object({
  start_time: Timestamp.optional().describe('Of the window that is judged; a day before its end where absent.'),
  end_time: Timestamp.optional().describe('Now where absent. Times are widened to whole hours.'),
  reference_start_time: Timestamp.optional().describe('Seven days before the end of the reference where absent.'),
  reference_end_time: Timestamp.optional().describe('The start of the window where absent; not later than that.'),
});
export type DriftQuery = z.output<typeof DriftQuery>;
