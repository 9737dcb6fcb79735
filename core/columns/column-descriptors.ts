import { NUM_COMMENTS } from '../comments/comment-column.ts';
import type { JsonValue } from '../kernel/json.ts';
import { compareText } from '../kernel/query/sort.ts';
import type { OutputType } from '../plugin-sdk/index.ts';
import type { AnnotationTemplate } from '../ratings/annotation-template.ts';
import { parseRatingColumn, RATING_DATA_TYPES, toRatingColumnId } from '../ratings/rating-column.ts';
import type { ScorerEntryView } from '../scorers/settings/metric-settings.ts';
import { toAgreementColumnId } from '../scores/agreement-column.ts';
import { getRecordTypes } from '../scores/record-types.ts';
import type { DataType, FilterType } from '../traces/catalogue/field-kinds.ts';
import { STEP_ORDER } from '../traces/catalogue/span-types.ts';
import { SYSTEM_METRICS, systemMetricEntry } from '../traces/catalogue/system-metrics.ts';
import { findColumn, STANDARD_COLUMNS } from '../traces/columns/column.ts';
import type { RatedColumn } from '../traces/columns/column-store.ts';
import type { ObservedColumn } from '../traces/columns/observed-columns.ts';
import type { ColumnDescriptor } from './available-columns.ts';
import { PLAIN_COLUMN } from './column-fields.ts';

/** A column of which is not known yet whether it is empty. */
export type Undecided = Omit<ColumnDescriptor, 'is_empty'>;

const FILTERS: Readonly<Record<DataType, FilterType>> = {
  uuid: 'id',
  text: 'text',
  integer: 'number',
  floating_point: 'number',
  boolean: 'boolean',
  timestamp: 'date',
  string_list: 'collection',
};

const PLAIN = { ...PLAIN_COLUMN, sortable: true, filterable: true } as const;

/** Fields that only columns of metrics have. */
const NOT_SCORED = { scorer_config: null, scorer_id: null, insight_type: null, threshold: null, label_color: null } as const;

export const standardColumns = (): Undecided[] =>
  STANDARD_COLUMNS.map((column) => ({
    ...PLAIN,
    id: column.id,
    category: 'standard',
    data_type: column.data_type,
    filter_type: column.filter_types[0],
    label: column.label,
    description: column.description,
    group_label: column.group,
    multi_valued: column.data_type === 'string_list',
    sortable: column.sortable,
    is_optional: column.is_optional,
    allowed_values: column.allowed_values && [...column.allowed_values],
    applicable_types: [...column.applies_to],
  }));

/** Observed columns, by the id of the column. */
export type ObservedById = ReadonlyMap<string, readonly ObservedColumn[]>;
export const observedById = (seen: readonly ObservedColumn[]): ObservedById => Map.groupBy(seen, ({ column_id }) => column_id);

export const systemMetrics = (seen: ObservedById): Undecided[] =>
  SYSTEM_METRICS.map((name) => {
    const id = `metrics/${name}`;
    const { label, description, unit } = systemMetricEntry(name);
    const types = new Set<string>([...findColumn(id)!.applies_to, ...getTypes(seen.get(id) ?? [])]);
    return {
      ...PLAIN,
      id,
      category: 'metric',
      ...typed('integer'),
      label,
      description,
      group_label: 'System metrics',
      data_unit: unit,
      is_optional: true,
      applicable_types: inOrder(types),
      ...NOT_SCORED,
      insight_type: 'vertical_bar',
    };
  });

/** Names of the senders' own in one place, by name. */
export function ownColumns(place: 'metrics' | 'user_metadata' | 'dataset_metadata', seen: ObservedById): Undecided[] {
  const prefix = `${place}/`;
  const ids = [...seen.keys()].filter((id) => id.startsWith(prefix));
  return ids.sort().map((id) => {
    const sightings = seen.get(id)!;
    const types = new Set(sightings.map(({ data_type }) => data_type));
    const [only] = types;
    const data_type = types.size === 1 ? only! : 'text';
    return {
      ...PLAIN,
      id,
      category: place === 'metrics' ? 'metric' : place,
      ...typed(data_type),
      label: id.slice(prefix.length),
      group_label: place === 'metrics' ? 'Metrics' : place === 'user_metadata' ? 'User metadata' : 'Dataset metadata',
      is_optional: true,
      applicable_types: inOrder(getTypes(sightings)),
      ...(place === 'metrics' ? { ...NOT_SCORED, data_unit: getUnit(id), insight_type: toInsight(data_type) } : {}),
    };
  });
}

/** Unit of a metric that is no system metric: costs are in US dollars by whichever route they come. */
export const getUnit = (id: string): 'dollars' | null => (id === 'metrics/cost' ? 'dollars' : null);

/**
 * Columns of ratings: one for each name of feedback that was given, and one for each annotation template of the project, whether
 * anybody answered it or not.
 */
export function ratingColumns(rated: readonly RatedColumn[], templates: readonly AnnotationTemplate[]): ColumnDescriptor[] {
  const byId = Map.groupBy(rated, ({ column_id }) => column_id);
  const feedback = [...byId].filter(([id]) => parseRatingColumn(id)?.place === 'feedback').sort(([a], [b]) => compareText(a, b));
  return [
    ...feedback.map(([id, known]) => {
      const types = new Set(known.map(({ rating_type }) => RATING_DATA_TYPES[rating_type]));
      const [only] = types;
      return ratingColumn({ id, label: parseRatingColumn(id)!.name, data_type: types.size === 1 ? only! : 'text' }, byId);
    }),
    ...templates.map(({ id, name, annotation_type, choices, instructions }) => {
      const facts = { id: toRatingColumnId({ place: 'annotations', name: id }), label: name };
      const described = { description: instructions || null, allowed_values: choices.length > 0 ? choices : null };
      return { ...ratingColumn({ ...facts, data_type: RATING_DATA_TYPES[annotation_type] }, byId), ...described };
    }),
  ];
}

/** Column of how many comments people wrote about a record itself. It is empty where nobody wrote any in the run. */
export const commentColumn = (is_empty: boolean): ColumnDescriptor => ({
  ...PLAIN,
  id: NUM_COMMENTS,
  category: 'standard',
  ...typed('integer'),
  label: 'Comments',
  description: 'How many comments the record has itself.',
  group_label: 'General',
  is_optional: false,
  is_empty,
  allowed_values: null,
  applicable_types: [...STEP_ORDER],
});

function ratingColumn(
  { id, label, data_type }: { readonly id: string; readonly label: string; readonly data_type: DataType },
  byId: ReadonlyMap<string, readonly RatedColumn[]>,
): ColumnDescriptor {
  const isFeedback = parseRatingColumn(id)!.place === 'feedback';
  return {
    ...PLAIN,
    id,
    category: isFeedback ? 'feedback' : 'annotations',
    ...typed(data_type),
    label,
    group_label: isFeedback ? 'Feedback' : 'Annotations',
    is_optional: true,
    is_empty: !(byId.get(id)?.some(({ is_filled }) => is_filled) ?? false),
    applicable_types: [...STEP_ORDER],
    ...NOT_SCORED,
    insight_type: toInsight(data_type),
  };
}

/** `example` is a value that was scored, for scorers that do not say what their values are. */
export function scorerColumn(entry: ScorerEntryView, example: JsonValue | undefined): Undecided {
  const types = inOrder(getRecordTypes(entry.scoreable_node_types));
  return metricColumn(entry.name, entry.output_type as OutputType | null, example, types, entry);
}

/** Column of how far the judges of a scorer agree; none where one judge decides, and none of sessions. */
export function agreementColumns({ name, num_judges, scoreable_node_types }: ScorerEntryView): Undecided[] {
  const types = inOrder(getRecordTypes(scoreable_node_types)).filter((type) => type !== 'session');
  if ((num_judges ?? 1) < 2 || types.length === 0) return [];
  return [
    {
      ...PLAIN,
      id: toAgreementColumnId(name),
      category: 'metric',
      ...typed('floating_point'),
      label: `Agreement on ${name}`,
      description: 'Share of the verdicts of several judges that equal the result, 0 to 1.',
      group_label: 'Scorers',
      data_unit: 'percentage',
      is_optional: true,
      applicable_types: types,
      ...NOT_SCORED,
      insight_type: 'vertical_bar',
    },
  ];
}

/** Column of a metric that is being tried; the types it will apply to are not known yet. */
export const testedColumn = (name: string, output_type: OutputType): Undecided =>
  metricColumn(name, output_type, undefined, [...STEP_ORDER], null);

function metricColumn(
  name: string,
  output_type: OutputType | null,
  example: JsonValue | undefined,
  applicable_types: string[],
  entry: ScorerEntryView | null,
): Undecided {
  const data_type = output_type ? OUTPUT_TYPES[output_type] : typeOfExample(example);
  return {
    ...PLAIN,
    id: `metrics/${name}`,
    category: 'metric',
    ...typed(data_type),
    label: name,
    group_label: 'Scorers',
    data_unit: output_type === 'percentage' ? 'percentage' : null,
    is_optional: true,
    applicable_types,
    ...NOT_SCORED,
    scorer_config: entry,
    scorer_id: entry?.id ?? null,
    insight_type: data_type && toInsight(data_type),
  };
}

const OUTPUT_TYPES: Readonly<Record<OutputType, DataType>> = {
  boolean: 'boolean',
  percentage: 'floating_point',
  count: 'integer',
  discrete: 'integer',
  categorical: 'text',
  freeform: 'text',
  multilabel: 'string_list',
  boolean_multilabel: 'string_list',
  retrieved_chunk_list_boolean: 'string_list',
};

function typeOfExample(example: JsonValue | undefined): DataType | null {
  if (example === undefined || example === null) return null;
  if (typeof example === 'number') return 'floating_point';
  if (typeof example === 'boolean') return 'boolean';
  return Array.isArray(example) ? 'string_list' : 'text';
}

const typed = (data_type: DataType | null) => ({
  data_type,
  filter_type: data_type && FILTERS[data_type],
  multi_valued: data_type === 'string_list',
});

const toInsight = (data_type: DataType): 'vertical_bar' | 'horizontal_bar' =>
  FILTERS[data_type] === 'number' ? 'vertical_bar' : 'horizontal_bar';

const getTypes = (sightings: readonly ObservedColumn[]): Set<string> => new Set(sightings.map(({ type }) => type));

const inOrder = (types: ReadonlySet<string>): string[] => STEP_ORDER.filter((type) => types.has(type));
