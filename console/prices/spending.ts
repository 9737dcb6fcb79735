import type { Amount, Spending } from '../../core/models/spending.ts';
import { costText } from '../kit/formatting.ts';

const AMOUNTS: readonly Amount[] = [
  ...(['calls', 'failed_calls', 'unpriced_calls', 'cached_answers'] as const),
  ...(['input_tokens', 'output_tokens', 'cost'] as const),
];

/** One row for each day, purpose and model, whoever paid and whichever run and scorer it was for. The order stays. */
export function sumByModel(spending: readonly Spending[]): Spending[] {
  const groups = Map.groupBy(spending, ({ day, purpose, provider, model }) => JSON.stringify([day, purpose, provider, model]));
  return [...groups.values()].map((rows) => rows.reduce(add));
}

/** Calls at an unknown price are in no sum: the cost is then the least that was spent, or unknown altogether. */
export function spentText({ cost, unpriced_calls }: Pick<Spending, 'cost' | 'unpriced_calls'>): string {
  if (unpriced_calls === 0) return costText(cost);
  return cost === 0 ? 'unknown' : `at least ${costText(cost)}`;
}

const add = (one: Spending, other: Spending): Spending => ({
  ...one,
  ...Object.fromEntries(AMOUNTS.map((name) => [name, one[name] + other[name]])),
});
