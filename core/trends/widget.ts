import { z } from 'zod';
import { GivenObject } from '../kernel/given-object.ts';
import { findNonFinite } from '../kernel/json.ts';
import { withDefault } from '../kernel/optional.ts';
import { cleanText } from '../kernel/text.ts';
import { RECORD_TYPES } from '../traces/catalogue/span-types.ts';
import { SeriesFilters } from './series-filter.ts';

export const RecordTypeName = z.enum(RECORD_TYPES);

export const WidgetType = z.enum(['bar_chart', 'line_chart', 'number', 'table']);
export const Aggregation = z.enum([
  'Count',
  'Sum',
  'Average',
  'Min',
  'Max',
  'P50',
  'P90',
  'P95',
  'P99',
  'PercentageFalse',
  'PercentageTrue',
]);
export type Aggregation = z.output<typeof Aggregation>;

const MAX_SERIES = 50;
const MAX_DATASET_CHARS = 65_536;
const WidgetName = cleanText(1, 100);
const WidgetDescription = cleanText(0, 500);
/** The name of a number of records, plain or as the column `metrics/<name>`. */
export const MetricName = z.string().min(1).max(1100);
/** Ids are texts: whoever makes a widget may name a section that is not there yet. */
export const SectionId = cleanText(1, 255);

/** Fields of an element of `dataset` that the service reads; a missing one is as the widget has it. Other fields are the sender's own. */
export const WidgetSeries = z
  .looseObject({
    label: cleanText(1, 100).nullish(),
    metric: MetricName.nullish(),
    aggregation: Aggregation.nullish(),
    record_types: z.array(RecordTypeName).min(1).max(RECORD_TYPES.length).nullish(),
    filters: SeriesFilters.nullish(),
    filter_tree: SeriesFilters.nullish(),
    group_by: z.string().min(1).max(1100).nullish(),
  })
  .meta({ id: 'WidgetSeries', description: 'One series of a widget.' });
export type WidgetSeries = z.output<typeof WidgetSeries>;
/** As it was given. */
export type GivenSeries = z.input<typeof WidgetSeries>;

/** Kept as it was given, down to the last field. */
const CheckedSeries = GivenObject.superRefine((given, ctx) => {
  const parsed = WidgetSeries.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) ctx.addIssue({ code: 'custom', path: issue.path, message: issue.message });
  const path = findNonFinite(given);
  if (path) ctx.addIssue({ code: 'custom', path, message: 'is not a finite number' });
});
const Dataset = z
  .array(CheckedSeries)
  .max(MAX_SERIES)
  .refine((dataset) => JSON.stringify(dataset).length <= MAX_DATASET_CHARS, {
    message: `is longer than ${MAX_DATASET_CHARS} characters`,
  });

export const Widget = z
  .object({
    id: z.string(),
    name: z.string(),
    type: WidgetType,
    metric: z.string(),
    aggregation: Aggregation,
    description: z.string(),
    dataset: z.array(GivenObject),
    section_id: z.string(),
  })
  .meta({ id: 'Widget', description: 'One chart of a trends dashboard.' });
export type Widget = z.output<typeof Widget>;

export const NewWidget = z
  .object({
    name: WidgetName,
    type: withDefault(WidgetType, 'bar_chart'),
    metric: MetricName,
    aggregation: withDefault(Aggregation, 'Average'),
    description: withDefault(WidgetDescription, ''),
    dataset: withDefault(Dataset, []),
    section_id: SectionId,
  })
  .meta({ id: 'NewWidget' });
export type NewWidget = z.output<typeof NewWidget>;

/** `position` counts from 0 within the section. */
export const WidgetUpdate = z
  .object({
    name: WidgetName.nullish(),
    type: WidgetType.nullish(),
    metric: MetricName.nullish(),
    aggregation: Aggregation.nullish(),
    description: WidgetDescription.nullish(),
    dataset: Dataset.nullish(),
    section_id: SectionId.nullish(),
    position: z.int().min(0).nullish(),
  })
  .meta({ id: 'WidgetUpdate' });
export type WidgetUpdate = z.output<typeof WidgetUpdate>;

/** Of a widget what is drawn, wherever it stands. */
export type WidgetBody = Omit<Widget, 'id' | 'section_id'>;
