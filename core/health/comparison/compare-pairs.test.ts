import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparableType, GRADED_SCALE, measureAgreement, toComparableKey } from './agreement-scale.ts';
import { comparePair, judgePairs, listPairs, matchRows, type UsableRow, type UsableRows } from './compare-pairs.ts';

const toRows = (agreements: readonly (number | null)[], truth_key = 'true'): UsableRows =>
  new Map(
    agreements.flatMap((agreement, at): [string, UsableRow][] =>
      agreement === null ? [] : [[`row ${at}`, { row_id: `row ${at}`, truth_key, agreement }]],
    ),
  );
const compare = (run: UsableRows, against: UsableRows) =>
  judgePairs([comparePair({ run: 1, against: 0 }, matchRows(run, against), 'right', 'mcnemar')], 'right')[0]!;
const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

describe('two runs', () => {
  it('are put together by row, whatever the order, and the rest is counted', () => {
    const run = toRows([1, null, 0, 1, 1]);
    const against = new Map([...toRows([0, 1, 0, null, 1])].reverse());
    expect(matchRows(run, against)).toMatchObject({
      rows: [{ difference: 1 }, { difference: 0 }, { difference: 0 }],
      only_in_run: 1,
      only_in_against: 1,
      truth_differs: 0,
    });
  });

  it('are not compared on rows for which they were given another truth', () => {
    const other = new Map([...toRows([0, 0]), ['row 1', { row_id: 'row 1', truth_key: 'false', agreement: 0 }]]);
    expect(matchRows(toRows([1, 1, 1]), other)).toMatchObject({
      rows: [{ run: { row_id: 'row 0' } }],
      truth_differs: 1,
      only_in_run: 1,
      only_in_against: 0,
    });
  });

  it('have equal differences where only rounding tells them apart', () => {
    const [run, against] = [toRows([0.1 + 0.2, 0.3, 0.8 - 0.7]), toRows([0.2, 0.2, 0.1])];
    const differences = matchRows(run, against).rows.map(({ difference }) => difference);
    expect(differences[0]).toBe(differences[1]);
    expect(differences[2]).toBe(0);
  });

  it('with the same rows show no difference at all', () => {
    const rows = toRows([1, 0, 1, 1, 0, 1, 1]);
    expect(compare(rows, rows)).toMatchObject({
      difference: 0,
      test: { p_value: 1 },
      adjusted_p_value: 1,
      equal_rows: 7,
      verdict: 'no_difference_shown',
    });
  });

  it('say the opposite when they are swapped', () => {
    const agreements = fc.array(fc.option(fc.constantFrom(0, 1)), { maxLength: 60 });
    const opposite = { better: 'worse', worse: 'better' } as const;
    fc.assert(
      fc.property(agreements, agreements, (one, other) => {
        const [found, swapped] = [compare(toRows(one), toRows(other)), compare(toRows(other), toRows(one))];
        expect(swapped.test.p_value).toBe(found.test.p_value);
        expect(swapped.rows).toBe(found.rows);
        expect([swapped.better_rows, swapped.worse_rows]).toEqual([found.worse_rows, found.better_rows]);
        expect([swapped.only_in_run, swapped.only_in_against]).toEqual([found.only_in_against, found.only_in_run]);
        if (found.difference !== null) expect(swapped.difference).toBeCloseTo(-found.difference, 12);
        const { verdict } = found;
        expect(swapped.verdict).toBe(verdict === 'better' || verdict === 'worse' ? opposite[verdict] : verdict);
      }),
    );
  });

  it('are too few where not even all rows changing the same way would be beyond chance', () => {
    expect(compare(toRows(repeat(1, 5)), toRows(repeat(0, 5)))).toMatchObject({ verdict: 'too_few_rows' });
    expect(compare(toRows(repeat(1, 6)), toRows(repeat(0, 6)))).toMatchObject({ verdict: 'better', difference: 1 });
    expect(compare(toRows([]), toRows([1]))).toMatchObject({ verdict: 'too_few_rows', difference: null, interval: null });
  });

  it('are judged by errors the other way round', () => {
    const pair = comparePair(
      { run: 1, against: 0 },
      matchRows(toRows(repeat(0.1, 8)), toRows(repeat(0.4, 8))),
      'absolute_error',
      'wilcoxon_signed_rank',
    );
    expect(judgePairs([pair], 'absolute_error')).toMatchObject([{ verdict: 'better', better_rows: 8, difference: -0.3 }]);
  });
});

const near = (value: number) => expect.closeTo(value, 12);

describe('the verdicts of a report', () => {
  const differing = (up: number, down: number) =>
    comparePair(
      { run: 1, against: 0 },
      matchRows(
        toRows([...repeat(1, up), ...repeat(0, down), ...repeat(1, 30)]),
        toRows([...repeat(0, up), ...repeat(1, down), ...repeat(1, 30)]),
      ),
      'right',
      'mcnemar',
    );

  it('are corrected for how many comparisons there are', () => {
    // Where n rows changed and all the same way, p is 2¹⁻ⁿ: 0.03125 of six.
    const alone = judgePairs([differing(6, 0)], 'right');
    expect(alone).toMatchObject([{ adjusted_p_value: near(2 ** -5), verdict: 'better' }]);
    const together = judgePairs([differing(6, 0), differing(12, 0), differing(0, 7)], 'right');
    expect(together.map(({ adjusted_p_value }) => adjusted_p_value)).toEqual([2 ** -5, 3 * 2 ** -11, 2 * 2 ** -6].map(near));
    expect(together.map(({ verdict }) => verdict)).toEqual(['better', 'better', 'worse']);
    const crowded = judgePairs([differing(6, 0), differing(6, 0), differing(12, 0)], 'right');
    expect(crowded.map(({ adjusted_p_value }) => adjusted_p_value)).toEqual([2 ** -4, 2 ** -4, 3 * 2 ** -11].map(near));
    expect(crowded.map(({ verdict }) => verdict)).toEqual(['no_difference_shown', 'no_difference_shown', 'better']);
  });
});

describe('the comparisons of a report', () => {
  it('are all pairs, the later run beside the earlier one, or each beside the baseline', () => {
    expect(listPairs(3, null).map(({ run, against }) => [run, against])).toEqual([
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
    expect(listPairs(3, 1).map(({ run, against }) => [run, against])).toEqual([
      [0, 1],
      [2, 1],
    ]);
    expect(listPairs(10, null)).toHaveLength(45);
  });
});

describe('agreement with the truth', () => {
  const agree = (type: ComparableType, truth: never, score: never) => measureAgreement(GRADED_SCALE[type], truth, score);
  it.each([
    ['boolean', true, true, 1],
    ['boolean', true, false, 0],
    ['categorical', 'Order', ' order'.trim(), 1],
    ['multilabel', ['a', 'b'], ['A', 'c', 'b'], 0.8],
    ['multilabel', [], [], 1],
    ['boolean_multilabel', { a: true, b: false }, { a: true }, 1],
    ['boolean_multilabel', { a: true }, { a: false, b: true }, 0],
    ['retrieved_chunk_list_boolean', [true, false, true, true], [true, true, true, true], 0.75],
    ['retrieved_chunk_list_boolean', [], [], 1],
    ['count', 4, 2.5, 1.5],
    ['discrete', 5, 5, 0],
    ['percentage', 0.85, 0.8, expect.closeTo(0.05)],
  ] as const)('of %s: %j and %j', (type, truth, score, wanted) => {
    expect(agree(type, truth as never, score as never)).toEqual(wanted);
  });

  it('is right or wrong by the same rule as truths are the same', () => {
    expect(toComparableKey(['b', 'A'])).toBe(toComparableKey(['a', 'B']));
    expect(toComparableKey({ x: true, y: false })).toBe(toComparableKey({ X: true }));
    expect(toComparableKey([true, false])).not.toBe(toComparableKey([false, true]));
    expect(measureAgreement('right', ['b', 'a'], ['a', 'b'])).toBe(1);
  });
});
