import { asPresetName, OutputType, z } from '../../../core/plugin-sdk/index.ts';
import { getVariables, isVariable } from '../template.ts';

const VocabularyIndex = z.int().min(0);

/** Definition of one version of a fine-tuned scorer. */
export const Definition = z
  .object({
    lora_task_id: z.int().min(0).describe('Which of the adapters that the endpoint serves.'),
    prompt: z.string().min(1).max(100_000).describe('What the model was trained on, with variables in double braces.'),
    model_name: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe('A model that an integration offers; lora_task_<id> when not given.'),
    lora_weights_path: z.string().max(4096).nullish().describe('Where the weights came from; kept for people.'),
    executor: asPresetName(z.string().max(255))
      .nullish()
      .describe('The metric that the weights were trained for; kept for people.'),
    luna_input_type: z.enum(['span', 'trace_object', 'trace_input_output_only']).default('span'),
    luna_output_type: z.enum(['float', 'string', 'string_list']).default('float'),
    output_type: OutputType.nullish().describe('What the scorer gives; as boolean, a float is yes above one half.'),
    class_name_to_vocab_ix: z
      .record(z.string().min(1).max(255), z.union([VocabularyIndex, z.array(VocabularyIndex)]))
      .nullish()
      .describe('The classes an answer may name, each with the tokens that stand for it.'),
    max_tokens: z.int().min(1).max(10_000).default(64).describe('Of one answer.'),
    max_material_characters: z.int().min(1000).max(10_000_000).default(20_000).describe('Of all material of one record.'),
  })
  .superRefine(({ prompt }, context) => {
    for (const name of getVariables(prompt)) {
      if (!isVariable(name)) context.addIssue({ code: 'custom', path: ['prompt'], message: `there is no variable "${name}"` });
    }
  });
export type Definition = z.output<typeof Definition>;
