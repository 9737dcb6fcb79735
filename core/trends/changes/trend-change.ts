import { z } from 'zod';
import { Aggregation } from '../widget.ts';

export const CHANGE_KINDS = [
  'scorer_enabled',
  'scorer_disabled',
  'scorer_settings',
  'scorer_version',
  'prompt_version',
  'prompt_label',
  'model_began',
  'model_ended',
  'prices',
] as const;

/** A change that is known, and may be why figures are not what they were. */
export const TrendChange = z
  .object({
    kind: z.enum(CHANGE_KINDS),
    at: z
      .string()
      .describe('Of models the beginning of the bucket in which the first call was made, or the end of the one with the last.'),
    text: z.string().describe('The change in a few words.'),
    scorer_id: z.string().nullable(),
    metric_name: z
      .string()
      .nullable()
      .describe('The metric that it may have an effect on: that of the scorer, or the cost; null: any.'),
    template_id: z.string().nullable(),
    label: z.string().nullable().describe('Of the prompt; null also where another version was selected.'),
    version: z
      .int()
      .nullable()
      .describe('Of the scorer or the prompt, that is in use since; null where it is not known, or none.'),
    model: z.string().nullable(),
  })
  .meta({ id: 'TrendChange' });
export type TrendChange = z.output<typeof TrendChange>;

const Level = z
  .object({
    mean: z.number().describe('Of the figures of the buckets.'),
    low: z.number().describe('Where the mean lies with a confidence of 95 %: from here'),
    high: z.number().describe('to here.'),
    buckets: z.int(),
  })
  .meta({ id: 'TrendLevel' });
export type Level = z.output<typeof Level>;

/** A place from which on a series lies on another level. */
export const ChangePoint = z
  .object({
    widget_id: z.string(),
    index: z.int().describe('Place of the series in `dataset` of the widget.'),
    label: z.string(),
    group: z.string().nullable(),
    metric: z.string(),
    aggregation: Aggregation,
    at: z.string().describe('When the first bucket on the new level begins.'),
    before: Level,
    after: Level,
    difference: Level.omit({ buckets: true }).describe('What is after, less what was before.'),
    p_value: z.number().describe('The probability that chance alone shows a shift as clear as this, anywhere in the series.'),
    changes: z.array(z.int()).describe('Places in `changes` of those that happened near it; none: no known change is near it.'),
  })
  .meta({ id: 'TrendChangePoint' });
export type ChangePoint = z.output<typeof ChangePoint>;

const Problem = z.object({ code: z.string(), message: z.string() });

export const TrendChanges = z
  .object({
    start_time: z.string(),
    end_time: z.string(),
    changes: z.array(TrendChange).describe('Oldest first.'),
    change_points: z.array(ChangePoint).describe('Oldest first.'),
    near_minutes: z
      .int()
      .describe('A change is near a change point when it happened less than so many minutes before or after it.'),
    problems: z.array(Problem).describe('What could not be looked at, and why.'),
  })
  .meta({ id: 'TrendChanges', description: 'Known changes in a time, and level shifts of the series of a dashboard.' });
export type TrendChanges = z.output<typeof TrendChanges>;
export type ChangesProblem = z.output<typeof Problem>;

/** A change of a kind; what is not said is null. */
export const toChange = (
  change: Pick<TrendChange, 'kind' | 'at' | 'text'> & Partial<Omit<TrendChange, 'kind' | 'at' | 'text'>>,
): TrendChange => ({ ...NOTHING, ...change });

const NOTHING = { scorer_id: null, metric_name: null, template_id: null, label: null, version: null, model: null };
