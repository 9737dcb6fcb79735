import { z } from '../../../core/plugin-sdk/index.ts';

/** Definition of one version of a code scorer. */
export const Definition = z.object({
  language: z.string().min(1).max(100).describe('The id of the code language that it is written in.'),
  source: z.string().min(1),
  score_type: z.string().max(255).nullish().describe('The type of the values that the program gave when it was tried.'),
});
export type Definition = z.output<typeof Definition>;
