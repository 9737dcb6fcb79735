import { describe, expect, it } from 'vitest';
import type { ScoreValue } from '../plugin-sdk/index.ts';
import { computeRollUp } from './roll-up.ts';

const rolled = (roll_up_method: string | null, ...values: ScoreValue[]) =>
  computeRollUp({ roll_up_method, model_type: 'llm' }, { values, spent: [] })?.roll_up_metrics;

describe('a roll-up', () => {
  it.each<[string | null, ScoreValue[], unknown]>([
    [null, [1, 2, 6], { average: 3, sum: 9, max: 6, min: 1 }],
    [null, [true, false, true, true], { average: 0.75, sum: 3, max: 1, min: 0 }],
    [null, [[true, false], [true]], { average: 2 / 3, sum: 2, max: 1, min: 0 }],
    ['max', [1, 2, 6], { max: 6 }],
    ['avg', [1, 2, 6], { average: 3 }],
    ['first', [4, 2, 6], { first: 4 }],
    ['last', [4, 2, 6], { last: 6 }],
    ['none', [1], undefined],
    [null, [], undefined],
    [null, ['a', 'b', 'a'], { category_count: { a: 2, b: 1 } }],
    [null, [['a', 'b'], ['a']], { category_count: { a: 2, b: 1 } }],
    [
      null,
      [
        { a: true, b: false },
        { a: true, b: true },
      ],
      { category_count: { a: 2, b: 1 } },
    ],
    ['category_count', [1, 2, 1], { category_count: { 1: 2, 2: 1 } }],
    ['average', ['a'], { category_count: { a: 1 } }],
    [null, Array.from({ length: 51 }, (_, at) => `text ${at}`), undefined],
  ])('by %s of %j is %j', (method, values, expected) => {
    expect(rolled(method, ...values)).toEqual(expected);
  });

  it('adds up what all took', () => {
    const effort = { model: 'm', cost: 0.25, input_tokens: 10, output_tokens: 1 };
    expect(computeRollUp({ roll_up_method: 'sum', model_type: 'llm' }, { values: [3, 5], spent: [effort, effort] })).toEqual({
      status_type: 'roll_up',
      roll_up_metrics: { sum: 8 },
      explanation: null,
      cost: 0.5,
      model_alias: 'm',
      num_judges: null,
      input_tokens: 20,
      output_tokens: 2,
      total_tokens: 22,
      critique: null,
      scorer_type: 'Plus',
    });
  });

  it('does not know the cost where one is not known', () => {
    const scores = { values: [1, 2], spent: [{ cost: 1 }, { cost: null, model: 'x' }] };
    expect(computeRollUp({ roll_up_method: null, model_type: 'code' }, scores)).toMatchObject({ cost: null, scorer_type: null });
  });
});
