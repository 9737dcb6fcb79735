import { z } from 'zod';
import { cleanText, Id, Name } from '../kernel/text.ts';
import { OutputType } from '../plugin-sdk/index.ts';

export const SCORER_TYPES = ['llm', 'code', 'finetuned', 'preset'] as const;
export type ScorerType = (typeof SCORER_TYPES)[number];

/** The plugin that runs versions of a scorer of each type. */
export const KIND_OF: Readonly<Record<ScorerType, string>> = {
  llm: 'generated',
  code: 'registered',
  finetuned: 'finetuned',
  preset: 'generated',
};

export const MODEL_TYPE_OF: Readonly<Record<ScorerType, 'llm' | 'code' | 'slm'>> = {
  llm: 'llm',
  code: 'code',
  finetuned: 'slm',
  preset: 'llm',
};

export const InputType = z.enum([
  'basic',
  'llm_spans',
  'retriever_spans',
  'sessions_normalized',
  'sessions_trace_io_only',
  'tool_spans',
  'trace_input_only',
  'trace_io_only',
  'trace_normalized',
  'trace_output_only',
  'agent_spans',
  'workflow_spans',
]);
export type InputType = z.output<typeof InputType>;

/** Types of records a scorer may score. `chat` and `chain` are older names of `llm` and `workflow`. */
export const NodeType = z.enum(['chain', 'chat', 'llm', 'retriever', 'tool', 'agent', 'workflow', 'control', 'trace', 'session']);
export const NodeTypes = z.array(NodeType).max(10);
export const DEFAULT_NODE_TYPES: readonly string[] = ['llm', 'chat'];

const nodeTypeAliases: ReadonlyMap<string, string> = new Map([
  ['chat', 'llm'],
  ['chain', 'workflow'],
]);

export const recordTypesOf = (nodeTypes: readonly string[]): ReadonlySet<string> =>
  new Set(nodeTypes.map((type) => nodeTypeAliases.get(type) ?? type));

const required_scorers = z.array(Name).max(50);
const tags = z.array(cleanText(1, 255)).max(50);

/** Settings a scorer brings along for every run it is enabled in. */
export const ScorerDefaults = z.looseObject({
  model_name: cleanText(1, 255).nullish(),
  num_judges: z.int().min(1).max(10).nullish(),
  scoreable_node_types: NodeTypes.nullish(),
  cot_enabled: z.boolean().nullish(),
  output_type: OutputType.nullish(),
  input_type: InputType.nullish(),
});

export const NewScorer = z
  .object({
    name: Name,
    scorer_type: z.enum(['llm', 'code', 'finetuned'], { error: "a scorer of one's own is of type llm, code or finetuned" }),
    description: cleanText(0, 10_000).nullish(),
    tags: tags.nullish(),
    defaults: ScorerDefaults.nullish(),
    model_type: z.enum(['slm', 'llm', 'code']).nullish(),
    ground_truth: z.boolean().nullish(),
    user_prompt: z.string().max(100_000).nullish(),
    scoreable_node_types: NodeTypes.nullish(),
    output_type: OutputType.nullish(),
    input_type: InputType.nullish(),
    required_scorers: required_scorers.nullish(),
  })
  .meta({ id: 'NewScorer' });
export type NewScorer = z.output<typeof NewScorer>;

/** A scorer as stored. */
export interface ScorerRecord {
  readonly id: string;
  readonly name: string;
  readonly scorer_type: ScorerType;
  readonly description: string;
  readonly tags: readonly string[];
  readonly defaults: z.output<typeof ScorerDefaults> | null;
  readonly model_type: string | null;
  readonly ground_truth: boolean | null;
  readonly default_version_id: string | null;
  readonly user_prompt: string | null;
  readonly scoreable_node_types: readonly string[] | null;
  readonly output_type: string | null;
  readonly input_type: string | null;
  readonly required_scorers: readonly string[] | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One version as stored: never changed once written. */
export interface ScorerVersionRecord {
  readonly id: string;
  readonly scorer_id: string;
  readonly version: number;
  /** The scorer-kind plugin that runs it. */
  readonly kind: string;
  /** What that plugin's schema asks for. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly model_name: string | null;
  readonly num_judges: number | null;
  readonly scoreable_node_types: readonly string[] | null;
  readonly cot_enabled: boolean | null;
  readonly output_type: string | null;
  readonly input_type: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const registered = { id: z.string(), name: z.string(), score_type: z.string().nullable() };
const versionFields = {
  id: z.string(),
  version: z.int(),
  scorer_id: z.string(),
  generated_scorer: z.null(),
  finetuned_scorer: z.null(),
  model_name: z.string().nullable(),
  num_judges: z.int().nullable(),
  scoreable_node_types: z.array(z.string()).nullable(),
  cot_enabled: z.boolean().nullable(),
  output_type: z.string().nullable(),
  input_type: z.string().nullable(),
};

/** The short form of a version, as entries and scorers carry it. */
export const StoredScorerVersion = z
  .object({ ...versionFields, registered_scorer: z.object(registered).nullable() })
  .meta({ id: 'StoredScorerVersion' });
export type StoredScorerVersion = z.output<typeof StoredScorerVersion>;

const RegisteredScorer = z.object({
  ...registered,
  created_at: z.string(),
  updated_at: z.string(),
  created_by: z.string().nullable(),
  data_type: z.string().nullable(),
  scoreable_node_types: z.array(z.string()).nullable(),
});

export const ScorerVersion = z
  .object({
    ...versionFields,
    registered_scorer: RegisteredScorer.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    chain_poll_template: z.null(),
    allowed_model: z.boolean(),
  })
  .meta({ id: 'ScorerVersion' });
export type ScorerVersion = z.output<typeof ScorerVersion>;

export const Scorer = z
  .object({
    id: z.string(),
    name: z.string(),
    scorer_type: z.enum(SCORER_TYPES),
    tags: z.array(z.string()),
    defaults: z.looseObject({}).nullable(),
    latest_version: StoredScorerVersion.nullable(),
    default_version_id: z.string().nullable(),
    default_version: StoredScorerVersion.nullable(),
    model_type: z.string().nullable(),
    ground_truth: z.boolean().nullable(),
    user_prompt: z.string().nullable(),
    scoreable_node_types: z.array(z.string()).nullable(),
    output_type: z.string().nullable(),
    input_type: z.string().nullable(),
    required_scorers: z.array(z.string()).nullable(),
    label: z.string(),
    description: z.string().nullable(),
    created_by: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    included_fields: z.array(z.string()),
  })
  .meta({ id: 'Scorer' });
export type Scorer = z.output<typeof Scorer>;

export const ScorerVersionQuery = z.object({ version: z.coerce.number().int().min(1).max(2_147_483_647).optional() });
export const ScorerPath = z.object({ scorer_id: Id });

/** The short form of a version. */
export function storedVersionOf(version: ScorerVersionRecord, scorer: ScorerRecord): StoredScorerVersion {
  const isCode = version.kind === 'registered';
  return {
    id: version.id,
    version: version.version,
    scorer_id: version.scorer_id,
    generated_scorer: null,
    finetuned_scorer: null,
    registered_scorer: isCode ? { id: version.id, name: scorer.name, score_type: scoreTypeOf(version) } : null,
    model_name: version.model_name,
    num_judges: version.num_judges,
    scoreable_node_types: version.scoreable_node_types && [...version.scoreable_node_types],
    cot_enabled: version.cot_enabled,
    output_type: version.output_type,
    input_type: version.input_type,
  };
}

/** The full form of a version. */
export function versionOf(version: ScorerVersionRecord, scorer: ScorerRecord): ScorerVersion {
  const short = storedVersionOf(version, scorer);
  const { created_at, updated_at, created_by } = version;
  return {
    ...short,
    registered_scorer: short.registered_scorer && {
      ...short.registered_scorer,
      created_at,
      updated_at,
      created_by,
      data_type: null,
      scoreable_node_types: short.scoreable_node_types,
    },
    created_at,
    updated_at,
    chain_poll_template: null,
    allowed_model: true,
  };
}

/** The type a code scorer declared for its values, where it did. */
const scoreTypeOf = ({ definition }: ScorerVersionRecord): string | null =>
  typeof definition.score_type === 'string' ? definition.score_type : null;
