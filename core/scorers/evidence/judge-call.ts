import { z } from 'zod';

const Tokens = z.int().nullable();

/** A file that went with a message: what it was, without its bytes. */
export const JudgeCallFile = z
  .object({
    file_id: z.string(),
    media_type: z.string(),
    size_bytes: z.int(),
    sha256: z.string().nullable().describe('Of its bytes; null where it is not known.'),
  })
  .meta({ id: 'JudgeCallFile' });
export type JudgeCallFile = z.output<typeof JudgeCallFile>;

/** One question that a scorer put to a model, and the answer to it. */
export const JudgeCallView = z
  .object({
    judge: z.int().describe('Which of several judges asked, from 0.'),
    asked_at: z.string(),
    model_alias: z.string().describe('The model that was asked for.'),
    model: z.string().nullable().describe('The model that answered, by the name that the provider gives; null when none did.'),
    system: z.string().nullable(),
    messages: z.array(
      z.object({
        role: z.string(),
        content: z.string(),
        files: z.array(JudgeCallFile).optional().describe('Files that went with it, in this order; absent where none did.'),
      }),
    ),
    schema: z.record(z.string(), z.unknown()).nullable().describe('JSON Schema that the answer was asked to match.'),
    max_tokens: z.int().nullable(),
    temperature: z.number().nullable(),
    seed: z.int().nullable(),
    left_out: z
      .array(z.string())
      .optional()
      .describe('Of these parameters those that were not sent, as the model does not take them; absent where all were.'),
    answer: z.string().nullable().describe('Exactly what the model wrote; null when there was no answer.'),
    finish_reason: z.string().nullable(),
    failure: z.string().nullable().describe('Why there was no answer.'),
    input_tokens: Tokens,
    output_tokens: Tokens,
    cost: z.number().nullable().describe('US dollars, 0 from the cache; null when the price is not known.'),
    cached: z.boolean().describe('Whether the answer came from the cache.'),
    is_cut: z
      .boolean()
      .describe('Whether texts were left out here because the calls of one score were too long to be kept whole.'),
  })
  .meta({ id: 'JudgeCall' });
export type JudgeCallView = z.output<typeof JudgeCallView>;

export const JudgeCallViews = z
  .object({
    calls: z.array(JudgeCallView),
    is_of_score: z
      .boolean()
      .describe(
        'Whether these are the calls that the stored score was made of, and not those of a result that a newer one replaced.',
      ),
  })
  .meta({ id: 'JudgeCalls' });
export type JudgeCallViews = z.output<typeof JudgeCallViews>;
