import { expect, it } from 'vitest';
import type { Spending } from '../../core/models/spending.ts';
import { spentText, sumByModel } from './spending.ts';

const row = (more: Partial<Spending>): Spending =>
  ({
    ...({ purpose: 'judge', user_id: null, run_id: null, scorer_id: null, scorer_version_id: null } as const),
    ...{ provider: 'p', model: 'm', day: '2026-11-01', calls: 1, failed_calls: 0, unpriced_calls: 0, cached_answers: 0 },
    ...{ input_tokens: 10, output_tokens: 1, cost: 0.5 },
    ...more,
  }) as Spending;

it('spending of several runs and payers is one row for a day, a purpose and a model', () => {
  const rows = sumByModel([row({ run_id: 'a' }), row({ day: '2026-10-31' }), row({ run_id: 'b', cost: 0.25 })]);
  expect(rows.map(({ day, calls, input_tokens, cost }) => [day, calls, input_tokens, cost])).toEqual([
    ['2026-11-01', 2, 20, 0.75],
    ['2026-10-31', 1, 10, 0.5],
  ]);
});

it('a cost is a number only where the price of every call is known', () => {
  expect(spentText({ cost: 0, unpriced_calls: 0 })).toBe('$0.00');
  expect(spentText({ cost: 0, unpriced_calls: 2 })).toBe('unknown');
  expect(spentText({ cost: 1.5, unpriced_calls: 2 })).toBe('at least $1.50');
});
