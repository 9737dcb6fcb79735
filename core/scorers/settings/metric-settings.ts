import { z } from 'zod';
import { cleanText, Id } from '../../kernel/text.ts';
import { asPresetName, asWord } from '../../kernel/vocabulary.ts';
import { InputType, OutputType } from '../../plugin-sdk/index.ts';
import { NewSegmentFilter, ScorerFilter } from '../../scores/metric-settings.ts';
import { ROLL_UP_METHODS } from '../../scores/roll-up-method.ts';
import { forKinds } from '../kinds/for-kinds.ts';
import { NodeTypes } from '../scorer.ts';
import { SuspensionView } from '../scoring/suspension.ts';
import { storedVersionSchema } from '../versions/scorer-version.ts';

/** In all filters of a run together: each is compared with each record that is written or shown. */
export const MAX_FILTER_VALUES = 5_000;

const SegmentFilterView = z
  .object({
    sample_rate: z.number(),
    filter: z.looseObject({}).nullable(),
    llm_scorers: z.boolean(),
    multimodal_scorers: z.boolean(),
  })
  .meta({ id: 'SegmentFilter' });

/** One scorer of a run, as a caller asks for it. Everything but the id overrides what the scorer itself says. */
export const NewScorerEntry = z
  .object({
    id: Id,
    name: asPresetName(cleanText(1, 255)).nullish(),
    model_name: cleanText(1, 255).nullish(),
    num_judges: z.int().min(1).max(10).nullish(),
    filters: z.array(ScorerFilter).max(50).nullish(),
    scoreable_node_types: NodeTypes.nullish(),
    cot_enabled: z.boolean().nullish(),
    output_type: OutputType.nullish(),
    input_type: InputType.nullish(),
    scorer_version: z.looseObject({ id: Id }).nullish(),
    multimodal_capabilities: z.array(z.enum(['vision', 'audio'])).nullish(),
    score_type: z.string().max(255).nullish(),
    roll_up_method: z.enum(ROLL_UP_METHODS).nullish(),
    daily_budget: z
      .number()
      .min(0)
      .max(1_000_000)
      .nullish()
      .describe('US dollars that may be spent on models in this run on one day, UTC; null for any.'),
  })
  .meta({ id: 'NewScorerEntry' });
export type NewScorerEntry = z.output<typeof NewScorerEntry>;

export const MetricSettingsUpdate = z
  .object({ scorers: z.array(NewScorerEntry).max(200).nullish(), segment_filters: z.array(NewSegmentFilter).max(50).nullish() })
  .meta({ id: 'MetricSettingsUpdate' });
export type MetricSettingsUpdate = z.output<typeof MetricSettingsUpdate>;

/** One scorer of a run, as the API shows it. */
export const scorerEntrySchema = forKinds((kinds) =>
  z
    .object({
      id: z.string(),
      name: asPresetName(z.string()),
      scorer_type: asWord(z.string()),
      model_type: z.string().nullable(),
      model_name: z.string().nullable(),
      num_judges: z.int().nullable(),
      filters: z.array(z.looseObject({})),
      scoreable_node_types: z.array(z.string()),
      cot_enabled: z.boolean().nullable(),
      output_type: z.string().nullable(),
      input_type: z.string().nullable(),
      scorer_version: storedVersionSchema(kinds).nullable(),
      multimodal_capabilities: z.array(z.string()).nullable(),
      score_type: z.string().nullable(),
      roll_up_method: z.string().nullable(),
      daily_budget: z.number().nullable(),
      /** Why the version that runs is switched off in the project; null where it is not. */
      suspension: SuspensionView.nullish(),
    })
    .meta({ id: 'ScorerEntry' }),
);
export type ScorerEntryView = z.output<ReturnType<typeof scorerEntrySchema>>;

export const metricSettingsSchema = forKinds((kinds) =>
  z
    .object({ scorers: z.array(scorerEntrySchema(kinds)), segment_filters: z.array(SegmentFilterView) })
    .meta({ id: 'MetricSettings' }),
);
export type MetricSettingsView = z.output<ReturnType<typeof metricSettingsSchema>>;
