import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { cleanText, Id } from '../../kernel/text.ts';
import { asPresetName, asWord } from '../../kernel/vocabulary.ts';
import { InputType, OutputType } from '../../plugin-sdk/index.ts';
import { getRecordTypes, NodeTypes } from '../scorer.ts';
import { ROLL_UP_METHODS } from '../scores/roll-up-method.ts';
import { SuspensionView } from '../scoring/suspension.ts';
import { StoredScorerVersion } from '../versions/scorer-version.ts';

/** As names of records are, which these are compared with. */
const MAX_VALUE_LENGTH = 1024;
/** In all filters of a run together: each is compared with each record that is written or shown. */
export const MAX_FILTER_VALUES = 5_000;

/** Which records a scorer of a run looks at, beyond their type. */
export const ScorerFilter = z
  .object({
    name: withDefault(z.enum(['node_name', 'metadata']), 'node_name'),
    filter_type: z.string().nullish(),
    operator: withDefault(z.enum(['eq', 'ne', 'contains', 'one_of', 'not_in']), 'eq'),
    key: cleanText(1, 1024).nullish(),
    value: z.union([z.string().max(MAX_VALUE_LENGTH), z.array(z.string().max(MAX_VALUE_LENGTH)).max(1000)]),
    case_sensitive: withDefault(z.boolean(), true),
  })
  .refine(({ name, key }) => name !== 'metadata' || typeof key === 'string', {
    path: ['key'],
    message: 'field required: a metadata filter names the key that it is about',
  })
  .meta({ id: 'ScorerFilter' });
export type ScorerFilter = z.output<typeof ScorerFilter>;

export const NewSegmentFilter = z
  .object({
    sample_rate: z.number().min(0).max(1),
    filter: ScorerFilter.nullish().transform((given) => given ?? null),
    llm_scorers: withDefault(z.boolean(), false),
    multimodal_scorers: withDefault(z.boolean(), false),
  })
  .meta({ id: 'NewSegmentFilter' });
export type SegmentFilter = z.output<typeof NewSegmentFilter>;

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
export const ScorerEntry = z
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
    scorer_version: StoredScorerVersion.nullable(),
    multimodal_capabilities: z.array(z.string()).nullable(),
    score_type: z.string().nullable(),
    roll_up_method: z.string().nullable(),
    daily_budget: z.number().nullable(),
    /** Why the version that runs is switched off in the project; null where it is not. */
    suspension: SuspensionView.nullish(),
  })
  .meta({ id: 'ScorerEntry' });

export const MetricSettingsView = z
  .object({ scorers: z.array(ScorerEntry), segment_filters: z.array(SegmentFilterView) })
  .meta({ id: 'MetricSettings' });
export type MetricSettingsView = z.output<typeof MetricSettingsView>;

/** One scorer of a run, as stored. What it leaves null is what the version says that runs. */
export interface StoredEntry extends Omit<z.output<typeof ScorerEntry>, 'scorer_version' | 'filters' | 'suspension'> {
  readonly filters: readonly ScorerFilter[];
  /** A pinned version; null runs the scorer's default version. */
  readonly scorer_version_id: string | null;
  /** Since when, by the database's clock: records written earlier are not scored unless asked for. */
  readonly enabled_at: string;
  /** Whose integrations its judges use: who enabled it, or changed the entry last. Null or absent: nobody is known. */
  readonly enabled_by?: string | null;
}

export interface MetricSettings {
  readonly scorers: readonly StoredEntry[];
  readonly segment_filters: readonly SegmentFilter[];
}

export const NO_METRICS: MetricSettings = { scorers: [], segment_filters: [] };

/** What a scorer filter can see of a record. */
export interface Scoreable {
  readonly id: string;
  /** Absent of a session. */
  readonly trace_id?: string;
  readonly type: string;
  readonly name: string;
  readonly user_metadata: Readonly<Record<string, unknown>>;
}

/** Whether an entry is about this record: its type, and every filter. */
export function appliesTo(entry: Pick<StoredEntry, 'scoreable_node_types' | 'filters'>, record: Scoreable): boolean {
  return getRecordTypes(entry.scoreable_node_types).has(record.type) && entry.filters.every((filter) => passes(filter, record));
}

export function passes({ name, key, operator, value, case_sensitive }: ScorerFilter, record: Scoreable): boolean {
  const fold = (text: string): string => (case_sensitive ? text : text.toLowerCase());
  const seen = name === 'node_name' ? record.name : ownValue(record.user_metadata, key ?? '');
  const said = seen === undefined || seen === null ? undefined : typeof seen === 'string' ? seen : JSON.stringify(seen);
  // Of a long text no more than a value may be long, and one unit, so that no value equals what was cut off.
  const text = said === undefined ? undefined : fold(said.slice(0, MAX_VALUE_LENGTH + 1));
  const wanted = (Array.isArray(value) ? value : [value]).map(fold);
  const found =
    text !== undefined && (operator === 'contains' ? wanted.some((needle) => text.includes(needle)) : wanted.includes(text));
  return operator === 'ne' || operator === 'not_in' ? !found : found;
}

/** Metadata is of the caller's making: `toString` is a key like any other, and mostly absent. */
const ownValue = (metadata: Scoreable['user_metadata'], key: string): unknown =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined;
