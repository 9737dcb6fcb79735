import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { cleanText } from '../kernel/text.ts';
import { getRecordTypes } from './record-types.ts';

/** As names of records are, which these are compared with. */
const MAX_VALUE_LENGTH = 1024;

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

/** One scorer of a run, as stored. What it leaves null is what the version says that runs. */
export interface StoredEntry {
  readonly id: string;
  readonly name: string;
  readonly scorer_type: string;
  readonly model_type: string | null;
  readonly model_name: string | null;
  readonly num_judges: number | null;
  readonly scoreable_node_types: string[];
  readonly cot_enabled: boolean | null;
  readonly output_type: string | null;
  readonly input_type: string | null;
  readonly multimodal_capabilities: string[] | null;
  readonly score_type: string | null;
  readonly roll_up_method: string | null;
  readonly daily_budget: number | null;
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

/** Fields of a record that a scorer filter can see. */
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
