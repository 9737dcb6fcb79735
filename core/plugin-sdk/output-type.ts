import { z } from 'zod';

/** Types of the values that scorers give. */
export const OutputType = z.enum([
  'boolean',
  'categorical',
  'count',
  'discrete',
  'freeform',
  'percentage',
  'multilabel',
  'retrieved_chunk_list_boolean',
  'boolean_multilabel',
]);
export type OutputType = z.output<typeof OutputType>;
