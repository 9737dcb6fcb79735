import { type OutputType, z } from '../../../core/plugin-sdk/index.ts';

export const Aggregations = z.enum(['majority', 'share', 'mean', 'median', 'min', 'max', 'union', 'intersection', 'first']);
export type Aggregation = z.output<typeof Aggregations>;

const numbers: readonly Aggregation[] = ['mean', 'median', 'min', 'max'];
const sets: readonly Aggregation[] = ['majority', 'union', 'intersection'];

/** How the verdicts of several judges may become one; the first is what happens when nothing is said. */
export const AGGREGATIONS_OF: Readonly<Record<OutputType, readonly Aggregation[]>> = {
  boolean: ['majority', 'share'],
  categorical: ['majority'],
  count: numbers,
  discrete: numbers,
  percentage: numbers,
  multilabel: sets,
  boolean_multilabel: sets,
  retrieved_chunk_list_boolean: sets,
  freeform: ['first'],
};
