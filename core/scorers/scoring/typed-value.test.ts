import { describe, expect, it } from 'vitest';
import { OutputType, type ScoreValue } from '../../plugin-sdk/index.ts';
import { typedOutcome } from './typed-value.ts';

const given = (value: unknown) =>
  ({ status: 'success', value: value as ScoreValue, explanation: 'why', effort: { model: 'm' } }) as const;
const typed = (type: string | null, value: unknown) => {
  const outcome = typedOutcome(given(value), type);
  return outcome.status === 'success' ? outcome.value : outcome.status;
};

/** Per type: what is taken, with what it becomes where that is something else, and what is refused. */
const CASES: Readonly<Record<OutputType, { taken: readonly (readonly [unknown, unknown?])[]; refused: readonly unknown[] }>> = {
  boolean: { taken: [[true], [false], [1, true], [0, false], [0.25]], refused: ['true', 'maybe', 2, -1, [], {}, null] },
  categorical: { taken: [['calm'], [3, '3'], [true, 'true']], refused: ['', '  ', ['calm'], { calm: true }, null] },
  count: { taken: [[0], [7], [2.5], [true, 1]], refused: ['3', 'many', -1, [3], {}, null] },
  discrete: { taken: [[-2], [4.5], [false, 0]], refused: ['4', [4], {}, null] },
  percentage: { taken: [[0], [0.85], [1], [true, 1], [false, 0]], refused: ['0.85', '85%', 85, -0.1, [], null] },
  freeform: { taken: [['any'], [''], [3, '3'], [['a'], '["a"]'], [{ a: true }, '{"a":true}']], refused: [null] },
  multilabel: {
    taken: [
      [['a', 'b']],
      [[]],
      [
        ['a', 3],
        ['a', '3'],
      ],
    ],
    refused: ['a, b', 'a', [['a']], [''], { a: true }, 1],
  },
  boolean_multilabel: {
    taken: [
      [{ a: true, b: false }],
      [
        { a: 1, b: 0 },
        { a: true, b: false },
      ],
      [['a']],
      [{}],
    ],
    refused: ['a: true', { a: 'true' }, { a: null }, true, [[]]],
  },
  retrieved_chunk_list_boolean: {
    taken: [
      [[true, false]],
      [
        [1, 0],
        [true, false],
      ],
      [[]],
    ],
    refused: ['true', [0.5], ['true'], true, {}],
  },
};

describe('the output type of a scorer', () => {
  it.each(OutputType.options)('%s takes its values, turns what loses nothing, and refuses the rest', (type) => {
    const { taken, refused } = CASES[type];
    for (const [value, becomes = value] of taken) expect(typed(type, value)).toEqual(becomes);
    for (const value of refused) expect([value, typed(type, value)]).toEqual([value, 'failed']);
  });

  it('is named with what was given instead, in a short message', () => {
    const outcome = typedOutcome(given('x'.repeat(5_000)), 'count');
    expect(outcome).toEqual({ status: 'failed', message: expect.any(String), effort: { model: 'm' } });
    const { message } = outcome as { message: string };
    expect(message).toMatch(/^"x+ is no value of output type count: it has to be a number of 0 or more$/);
    expect(message.length).toBeLessThan(200);
  });

  it('keeps the explanation of a value that was turned', () => {
    expect(typedOutcome(given(1), 'boolean')).toEqual({ ...given(1), value: true });
  });

  it('keeps the share of judges that said yes a number, also when all did', () => {
    const effort = { num_judges: 3 };
    for (const value of [0, 0.75, 1])
      expect(typedOutcome({ status: 'success', value, effort }, 'boolean')).toMatchObject({ value });
  });

  it('leaves any value to a scorer without one, and says nothing of other outcomes', () => {
    for (const type of [null, 'unheard of']) expect(typed(type, { a: 'b' })).toEqual({ a: 'b' });
    const failed = { status: 'not_applicable', message: 'nothing to judge' } as const;
    expect(typedOutcome(failed, 'count')).toBe(failed);
  });
});
