import type { DriftBin, DriftMeasure } from '../../core/trends/drift/drift.ts';
import { numberText } from '../kit/formatting.ts';

export const MEASURE_LABELS: Readonly<Record<DriftMeasure['of'], string>> = {
  score: 'Values of the scorer',
  input_tokens: 'Input tokens of model calls',
  model: 'Models called',
};

const CHANGES = { none: 'no change', moderate: 'a moderate change', significant: 'a significant change' } as const;

/** One sentence on what a measure says. */
export function driftText({ change, stability_index, chance_level, unknown_because }: DriftMeasure): string {
  if (change === null) return `Unknown: ${unknown_because}.`;
  const isByChance = change === 'none' && stability_index! >= 0.1;
  const chance = isByChance ? `, as chance brings it: ${numberText(chance_level)}` : '';
  return `Population stability index ${numberText(stability_index)}: ${CHANGES[change]}${chance}.`;
}

/** The values that a bin holds. */
export function binText({ lower, upper, value }: DriftBin): string {
  if (lower === null && upper === null) return value ?? 'no model';
  if (lower === null) return `${numberText(upper)} and less`;
  if (upper === null) return `more than ${numberText(lower)}`;
  return lower === upper ? numberText(upper) : `${numberText(lower)} to ${numberText(upper)}`;
}
