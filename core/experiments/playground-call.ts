import { z } from 'zod';
import { GivenObject } from '../kernel/given-object.ts';
import { withDefault } from '../kernel/optional.ts';
import { PromptContent, PromptMessage } from '../prompts/prompt-text.ts';
import { RunSettings } from '../prompts/run-settings.ts';
import { MessageToolCall } from '../prompts/tool-calls.ts';

const MAX_VARIANTS = 6;

/** A prompt to try, with its settings. */
export const Variant = z.object({ template: PromptContent, settings: RunSettings.nullish() });
export type Variant = z.output<typeof Variant>;

export const PlaygroundCall = z
  .object({
    variants: z.array(Variant).min(1).max(MAX_VARIANTS),
    values: withDefault(GivenObject, {}).describe('Values of the variables of all variants, by name.'),
  })
  .meta({ id: 'PlaygroundCall' });
export type PlaygroundCall = z.output<typeof PlaygroundCall>;

const VariantResult = z.object({
  messages: z.array(PromptMessage).describe('As they were sent: with the values in the place of the variables.'),
  missing_variables: z.array(z.string()),
  output: z.string().nullable(),
  tool_calls: z.array(MessageToolCall).describe('Tools that the model asks to have called; nothing calls them here.'),
  model: z.string().describe('As the provider calls the model that answered; as it was asked for where none did.'),
  finish_reason: z.string().nullable(),
  parameters: z
    .record(z.string(), z.unknown())
    .describe(
      'Parameters that were sent with the prompt, by name; of a variant without an output those that it was to be sent with.',
    ),
  left_out: z
    .array(z.string())
    .describe(
      'Parameters that the model does not take, and that were not sent because their values are those of nobody’s choice.',
    ),
  num_input_tokens: z.int().nullable(),
  num_output_tokens: z.int().nullable(),
  cost: z.number().nullable().describe('US dollars; null where the price is not known.'),
  duration_ns: z.int(),
  error: z
    .object({
      kind: z.string(),
      code: z
        .enum(['budget_spent', 'model_unpriced'])
        .nullable()
        .describe('Rule of the service that forbade the call; null where the provider or the prompt is the reason.'),
      message: z.string(),
    })
    .nullable()
    .describe('Why this variant has no output.'),
});
export type VariantResult = z.output<typeof VariantResult>;

export const PlaygroundReply = z
  .object({ variants: z.array(VariantResult).describe('In the order of the request.') })
  .meta({ id: 'PlaygroundReply' });
export type PlaygroundReply = z.output<typeof PlaygroundReply>;
