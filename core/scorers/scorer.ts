import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { cleanText, Id, Name } from '../kernel/text.ts';
import { asPresetName } from '../kernel/vocabulary.ts';
import { InputType, OutputType } from '../plugin-sdk/index.ts';
import { ROLL_UP_METHODS } from '../scores/roll-up-method.ts';
import { knownFirst, STEP_TYPES, type StepType } from '../traces/catalogue/span-types.ts';
import type { VersionCalibration } from './calibration/score-mapping.ts';

/** Types of records a scorer may score. `chat` and `chain` are older names of `llm` and `workflow`. */
const OWN_NODE_TYPES = knownFirst<StepType>(['llm', 'retriever', 'tool', 'agent'], STEP_TYPES);
export const NodeType = z.enum(['chain', 'chat', ...OWN_NODE_TYPES]);
export const NodeTypes = z.array(NodeType).max(NodeType.options.length);
export const DEFAULT_NODE_TYPES: readonly string[] = ['llm', 'chat'];

export const MultimodalCapability = z.enum(['vision', 'audio']);

const required_scorers = z.array(asPresetName(Name)).max(50);
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

const NewScorerFields = z.object({
  name: Name,
  scorer_type: z.string(),
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
  multimodal_capabilities: z.array(MultimodalCapability).max(2).nullish(),
  roll_up_method: z.enum(ROLL_UP_METHODS).nullish(),
});
export type NewScorer = z.output<typeof NewScorerFields>;

/** A scorer of one of these types, those of the installed kinds. */
export const newScorerSchema = (types: readonly string[]): z.ZodType<NewScorer> =>
  NewScorerFields.extend({
    scorer_type: z.enum(types, { error: `a scorer of one's own is of type ${types.join(', ')}` }),
  }).meta({ id: 'NewScorer' });

/** Absent and null fields stay as they are. */
export const ScorerUpdate = NewScorerFields.omit({ scorer_type: true })
  .extend({
    name: Name.nullish(),
    default_version_id: Id.nullish(),
    /** Makes a version the default although the scorer's gate refuses it. */
    force: z.boolean().nullish(),
  })
  .meta({ id: 'ScorerUpdate' });
export type ScorerUpdate = z.output<typeof ScorerUpdate>;

/** A scorer as stored. */
export interface ScorerRecord {
  readonly id: string;
  readonly name: string;
  /** The name to show. */
  readonly label: string;
  /** As the kind is shown; `preset` for scorers that exist from the first start, of whatever kind. */
  readonly scorer_type: string;
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
  readonly multimodal_capabilities: readonly string[] | null;
  /** How scores of records become one of the trace or session above them. */
  readonly roll_up_method: string | null;
  /** Goes on scoring where it is enabled; lists of what may be chosen leave it out. */
  readonly deprecated: boolean;
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
  /** Fields that the plugin's schema defines. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly model_name: string | null;
  readonly num_judges: number | null;
  readonly scoreable_node_types: readonly string[] | null;
  readonly cot_enabled: boolean | null;
  readonly output_type: string | null;
  readonly input_type: string | null;
  /** Null where scores stay as the definition gives them. */
  readonly calibration: VersionCalibration | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const scorerNotFound = (id: string): AppError =>
  new AppError('not_found', 'scorer_not_found', `scorer ${id} does not exist`);
