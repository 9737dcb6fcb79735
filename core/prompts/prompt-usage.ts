import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { Timestamp } from '../kernel/timestamp.ts';

/** `day` counts from midnight in UTC. */
const Interval = z.enum(['hour', 'day']);

export const PromptUsageQuery = z.object({
  start_time: Timestamp.optional().describe('30 days ago by default; the hour that it is in counts whole.'),
  end_time: Timestamp.optional().describe('Now by default.'),
  interval: withDefault(Interval, 'day'),
});
export type PromptUsageQuery = z.output<typeof PromptUsageQuery>;

const Mean = z.object({ mean: z.number(), count: z.int() });

const FIGURES = {
  num_calls: z.int(),
  num_errors: z.int(),
  cost: z.number().nullable().describe('US dollars of all calls whose cost is known; null where it is of none.'),
  num_input_tokens: z.int().nullable(),
  num_output_tokens: z.int().nullable(),
  mean_duration_ns: z.number().nullable(),
  scores: z
    .record(z.string(), Mean)
    .describe(
      'Of each metric by scorers, ratings or senders: the mean over the calls that have it. Yes counts as 1, no as 0. The first 100 by name.',
    ),
  num_traces: z
    .int()
    .describe(
      'Traces with such calls. One that called several versions counts once for each, so these do not add up over versions.',
    ),
  trace_scores: z
    .record(z.string(), Mean)
    .describe(
      'As `scores`, of what was said of these traces as a whole. A trace counts once for a version, however often that was called in it; nothing of it is in `scores`.',
    ),
};
export const PromptFigures = z.object(FIGURES);
export type PromptFigures = z.output<typeof PromptFigures>;

const OfVersion = { version: z.int(), prompt_version_id: z.string() };
const OfTime = { start_time: z.string(), end_time: z.string() };

export const PromptUsageReply = z
  .object({
    ...OfTime,
    versions: z.array(z.object({ ...OfVersion, ...FIGURES })).describe('The newest 100 versions, newest first.'),
  })
  .meta({ id: 'PromptUsage', description: 'Figures of the calls that were made with the versions of a prompt, in one project.' });
export type PromptUsageReply = z.output<typeof PromptUsageReply>;

export const PromptVersionUsage = z
  .object({
    ...OfTime,
    ...OfVersion,
    ...FIGURES,
    interval: Interval,
    buckets: z
      .array(z.object({ at: z.string(), ...FIGURES }))
      .describe('Ascending; those without calls or traces are left out. Calls count where they began, traces where they began.'),
  })
  .meta({ id: 'PromptVersionUsage', description: 'Figures of the calls of one version of a prompt, in one project.' });
export type PromptVersionUsage = z.output<typeof PromptVersionUsage>;
