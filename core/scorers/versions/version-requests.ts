import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import { asPresetName } from '../../kernel/vocabulary.ts';
import { InputType, OutputType } from '../../plugin-sdk/index.ts';
import { NodeTypes } from '../scorer.ts';

/** The number of a version, as it stands in queries and paths. */
export const VersionNumber = z.coerce.number().int().min(1).max(2_147_483_647);

/** Settings of judges. What is absent or null comes from the scorer and its defaults. */
const judgeSettings = {
  model_name: z.string().max(255).nullish(),
  num_judges: z.int().nullish(),
  scoreable_node_types: NodeTypes.nullish(),
  cot_enabled: z.boolean().nullish(),
  output_type: OutputType.nullish(),
  input_type: InputType.nullish(),
};

/** Beside these fields a body may have all others that definitions of judges have. */
export const NewLlmVersion = z
  .looseObject({
    ...judgeSettings,
    instructions: z.string().nullish(),
    user_prompt: z.string().nullish(),
    chain_poll_template: z.looseObject({ template: z.string() }).nullish(),
  })
  .meta({ id: 'NewLlmVersion' });
export type NewLlmVersion = z.output<typeof NewLlmVersion>;

export const NewPresetVersion = z.object(judgeSettings).meta({ id: 'NewPresetVersion' });
export type NewPresetVersion = z.output<typeof NewPresetVersion>;

export const NewFinetunedVersion = z
  .looseObject({
    lora_task_id: z.int(),
    prompt: z.string().max(100_000),
    executor: asPresetName(z.string().max(255)).nullish(),
    luna_input_type: z.enum(['span', 'trace_object', 'trace_input_output_only']).nullish(),
    luna_output_type: z.enum(['float', 'string', 'string_list']).nullish(),
    lora_weights_path: z.string().max(1024).nullish(),
    class_name_to_vocab_ix: z.record(z.string(), z.union([z.int(), z.array(z.int())])).nullish(),
  })
  .meta({ id: 'NewFinetunedVersion' });
export type NewFinetunedVersion = z.output<typeof NewFinetunedVersion>;

export const VersionsOfRun = z.object({ run_id: Id.optional() });
