import { z } from 'zod';
import type { OutputType } from '../plugin-sdk/index.ts';

export const HealthScoreType = z.enum(['macro_f1', 'micro_f1', 'mse', 'mae']);
export type HealthScoreType = z.output<typeof HealthScoreType>;

/** Type of the health score, by output type. Texts without a form have none. */
export const HEALTH_TYPE_OF: Readonly<Record<OutputType, HealthScoreType | null>> = {
  boolean: 'macro_f1',
  categorical: 'macro_f1',
  multilabel: 'micro_f1',
  boolean_multilabel: 'micro_f1',
  retrieved_chunk_list_boolean: 'micro_f1',
  percentage: 'mse',
  count: 'mae',
  discrete: 'mae',
  freeform: null,
};

/** Errors are better the smaller they are; F1 the larger it is. */
export const isLowerBetter = (type: HealthScoreType): boolean => type === 'mse' || type === 'mae';
