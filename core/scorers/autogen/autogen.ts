import { z } from 'zod';
import { cleanText, Name } from '../../kernel/text.ts';
import { OutputType } from '../../plugin-sdk/index.ts';
import { NodeTypes } from '../scorer.ts';

/** Request for a scorer to be written. */
export const AutogenRequest = z
  .object({
    instructions: z.string().min(1).max(20_000),
    model_name: cleanText(1, 255),
    output_type: OutputType,
    cot_enabled: z.boolean(),
    scoreable_node_types: NodeTypes,
    /** Of the scorer, where it has one already. */
    name: Name.nullish(),
  })
  .meta({ id: 'AutogenRequest' });
export type AutogenRequest = z.output<typeof AutogenRequest>;

/** The same as a task keeps it. */
export const AutogenTask = AutogenRequest.extend({ kind: z.string().nullish() });
export type AutogenTask = z.output<typeof AutogenTask>;
