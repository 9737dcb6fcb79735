import { z } from 'zod';
import { asPresetName } from '../../kernel/vocabulary.ts';

export const FewShotExample = z.object({ generation_prompt_and_response: z.string(), evaluating_response: z.string() });

/** The question to a judge, as the API shows it. */
export const ChainPollTemplate = z
  .object({
    template: z.string(),
    metric_system_prompt: z.string().nullable(),
    metric_description: z.string().nullable(),
    value_field_name: z.string(),
    explanation_field_name: z.string(),
    metric_few_shot_examples: z.array(FewShotExample),
    response_schema: z.looseObject({}).nullable(),
  })
  .meta({ id: 'ChainPollTemplate' });
export type ChainPollTemplate = z.output<typeof ChainPollTemplate>;

export const ScorerConfiguration = z
  .object({
    model_alias: z.string(),
    num_judges: z.int(),
    output_type: z.string(),
    scoreable_node_types: z.array(z.string()),
    cot_enabled: z.boolean(),
    ground_truth: z.boolean(),
    multimodal_capabilities: z.array(z.string()),
  })
  .meta({ id: 'ScorerConfiguration' });

const shortGenerated = z.object({
  id: z.string(),
  name: z.string(),
  chain_poll_template: ChainPollTemplate,
  instructions: z.string().nullable(),
  user_prompt: z.string().nullable(),
});
const shortRegistered = z.object({ id: z.string(), name: z.string(), score_type: z.string().nullable() });
const shortFinetuned = z.object({
  id: z.string(),
  name: asPresetName(z.string()),
  lora_task_id: z.int(),
  prompt: z.string(),
  lora_weights_path: z.string().nullable(),
  luna_input_type: z.string().nullable(),
  luna_output_type: z.string().nullable(),
  class_name_to_vocab_ix: z.record(z.string(), z.union([z.int(), z.array(z.int())])).nullable(),
  executor: asPresetName(z.string()).nullable(),
});
const made = { created_at: z.string(), updated_at: z.string(), created_by: z.string().nullable() };
const definition = z
  .looseObject({})
  .nullable()
  .describe('What the version holds, of kinds that have no field of their own for it.');
const nodeTypes = z.array(z.string()).nullable();

const versionFields = {
  id: z.string(),
  version: z.int(),
  scorer_id: z.string(),
  model_name: z.string().nullable(),
  num_judges: z.int().nullable(),
  scoreable_node_types: nodeTypes,
  cot_enabled: z.boolean().nullable(),
  output_type: z.string().nullable(),
  input_type: z.string().nullable(),
};

/** The short form of a version, as entries and scorers carry it. Of a preset all three scorers in it are null. */
export const StoredScorerVersion = z
  .object({
    ...versionFields,
    generated_scorer: shortGenerated.nullable(),
    registered_scorer: shortRegistered.nullable(),
    finetuned_scorer: shortFinetuned.nullable(),
    definition,
  })
  .meta({ id: 'StoredScorerVersion' });
export type StoredScorerVersion = z.output<typeof StoredScorerVersion>;

const GeneratedScorer = shortGenerated.extend({
  ...made,
  scoreable_node_types: nodeTypes,
  scorer_configuration: ScorerConfiguration,
});
const RegisteredScorer = shortRegistered.extend({ ...made, data_type: z.string().nullable(), scoreable_node_types: nodeTypes });

export const ScorerVersion = z
  .object({
    ...versionFields,
    generated_scorer: GeneratedScorer.nullable(),
    registered_scorer: RegisteredScorer.nullable(),
    finetuned_scorer: shortFinetuned.extend(made).nullable(),
    definition,
    created_at: z.string(),
    updated_at: z.string(),
    chain_poll_template: ChainPollTemplate.nullable(),
    allowed_model: z.boolean(),
  })
  .meta({ id: 'ScorerVersion' });
export type ScorerVersion = z.output<typeof ScorerVersion>;
