import { z } from 'zod';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import { DEFAULT_NODE_TYPES, type ScorerRecord, type ScorerVersionRecord } from '../scorer.ts';
import { type ChainPollTemplate, FewShotExample, type ScorerVersion, type StoredScorerVersion } from './scorer-version.ts';

const text = z.string().nullish();

/** What is read of a judge's definition: all of it may be absent, since its schema belongs to the plugin. */
const JudgeDefinition = z.looseObject({
  model_name: z.string().default('gpt-4.1-mini'),
  num_judges: z.int().default(3),
  output_type: z.string().default('boolean'),
  cot_enabled: z.boolean().default(false),
  ground_truth: z.boolean().default(false),
  instructions: text,
  user_prompt: text,
  chain_poll_template: z
    .looseObject({
      template: z.string(),
      metric_system_prompt: text,
      metric_description: text,
      value_field_name: text,
      explanation_field_name: text,
      metric_few_shot_examples: z.array(FewShotExample).nullish(),
      response_schema: z.looseObject({}).nullish(),
    })
    .nullish(),
});
type JudgeDefinition = z.output<typeof JudgeDefinition>;

const TunedDefinition = z.looseObject({
  lora_task_id: z.int(),
  prompt: z.string(),
  lora_weights_path: text,
  luna_input_type: text,
  luna_output_type: text,
  class_name_to_vocab_ix: z.record(z.string(), z.union([z.int(), z.array(z.int())])).nullish(),
  executor: text,
});

const CodeDefinition = z.looseObject({ score_type: text });

/** The type of column that values of a code scorer fill. */
const DATA_TYPE_OF: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int: 'integer',
  float: 'floating_point',
  str: 'text',
  list: 'array',
};

/** The short form of a version. */
export function toStoredVersion(_kinds: ScorerKinds, version: ScorerVersionRecord, scorer: ScorerRecord): StoredScorerVersion {
  const { id, scorer_id, model_name, num_judges, cot_enabled, output_type, input_type } = version;
  return {
    id,
    version: version.version,
    scorer_id,
    model_name,
    num_judges,
    scoreable_node_types: version.scoreable_node_types && [...version.scoreable_node_types],
    cot_enabled,
    output_type,
    input_type,
    generated_scorer: toGeneratedView(version, scorer),
    registered_scorer: toRegisteredView(version, scorer),
    finetuned_scorer: toFinetunedView(version, scorer),
    definition: ['generated', 'registered', 'finetuned'].includes(version.kind) ? null : { ...version.definition },
  };
}

/** The full form of a version. */
export function toScorerVersion(kinds: ScorerKinds, version: ScorerVersionRecord, scorer: ScorerRecord): ScorerVersion {
  const short = toStoredVersion(kinds, version, scorer);
  const { created_at, updated_at, created_by } = version;
  const made = { created_at, updated_at, created_by };
  const scoreable_node_types = short.scoreable_node_types;
  const { generated_scorer: generated, registered_scorer: registered, finetuned_scorer: finetuned } = short;
  const data_type = DATA_TYPE_OF[registered?.score_type ?? ''] ?? null;
  return {
    ...short,
    generated_scorer: generated && {
      ...generated,
      ...made,
      scoreable_node_types,
      scorer_configuration: toConfiguration(version, scorer),
    },
    registered_scorer: registered && { ...registered, ...made, data_type, scoreable_node_types },
    finetuned_scorer: finetuned && { ...finetuned, ...made },
    created_at,
    updated_at,
    chain_poll_template: version.kind === 'generated' ? toTemplate(JudgeDefinition.parse(version.definition)) : null,
    allowed_model: true,
  };
}

const isOfPreset = (scorer: ScorerRecord): boolean => scorer.scorer_type === 'preset';

function toGeneratedView({ id, kind, definition }: ScorerVersionRecord, scorer: ScorerRecord) {
  if (kind !== 'generated' || isOfPreset(scorer)) return null;
  const judge = JudgeDefinition.parse(definition);
  const { instructions = null, user_prompt = null } = judge;
  return { id, name: scorer.name, chain_poll_template: toTemplate(judge), instructions, user_prompt };
}

function toRegisteredView({ id, kind, definition }: ScorerVersionRecord, scorer: ScorerRecord) {
  if (kind !== 'registered' || isOfPreset(scorer)) return null;
  return { id, name: scorer.name, score_type: CodeDefinition.parse(definition).score_type ?? null };
}

function toFinetunedView({ id, kind, definition }: ScorerVersionRecord, scorer: ScorerRecord) {
  if (kind !== 'finetuned' || isOfPreset(scorer)) return null;
  const tuned = TunedDefinition.parse(definition);
  return {
    id,
    name: scorer.name,
    lora_task_id: tuned.lora_task_id,
    prompt: tuned.prompt,
    lora_weights_path: tuned.lora_weights_path ?? null,
    luna_input_type: tuned.luna_input_type ?? null,
    luna_output_type: tuned.luna_output_type ?? null,
    class_name_to_vocab_ix: tuned.class_name_to_vocab_ix ?? null,
    executor: tuned.executor ?? null,
  };
}

/** A judge that was given a prompt alone has a template made of it. */
function toTemplate({ chain_poll_template: given, user_prompt, instructions }: JudgeDefinition): ChainPollTemplate {
  return {
    template: given?.template ?? user_prompt ?? instructions ?? '',
    metric_system_prompt: given?.metric_system_prompt ?? null,
    metric_description: given?.metric_description ?? null,
    value_field_name: given?.value_field_name ?? 'rating',
    explanation_field_name: given?.explanation_field_name ?? 'explanation',
    metric_few_shot_examples: given?.metric_few_shot_examples ?? [],
    response_schema: given?.response_schema ?? null,
  };
}

function toConfiguration({ definition, scoreable_node_types }: ScorerVersionRecord, scorer: ScorerRecord) {
  const { model_name, num_judges, output_type, cot_enabled, ground_truth } = JudgeDefinition.parse(definition);
  return {
    model_alias: model_name,
    num_judges,
    output_type,
    scoreable_node_types: [...(scoreable_node_types ?? DEFAULT_NODE_TYPES)],
    cot_enabled,
    ground_truth,
    multimodal_capabilities: [...(scorer.multimodal_capabilities ?? [])],
  };
}
