import { describe, expect, it } from 'vitest';
import { computeCohenKappa, computeFleissKappa, computeKrippendorffAlpha } from './agreement.ts';

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

/** Ten subjects in five categories by fourteen raters: the worked example under "Fleiss' kappa" in Wikipedia, 0.210. */
const FLEISS = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

/** Four observers, twelve units, with values that are missing: part C of Krippendorff (2011). */
const KRIPPENDORFF = [
  [1, 1, 1],
  [2, 2, 3, 2],
  [3, 3, 3, 3],
  [3, 3, 3, 3],
  [2, 2, 2, 2],
  [1, 2, 3, 4],
  [4, 4, 4, 4],
  [1, 1, 2, 1],
  [2, 2, 2, 2],
  [5, 5, 5],
  [1, 1],
  [3],
];

describe('agreement of raters', () => {
  it("is Cohen's kappa of the worked example of fifty grants, 0.4", () => {
    const pairs = [
      ...times(20, ['yes', 'yes']),
      ...times(5, ['yes', 'no']),
      ...times(10, ['no', 'yes']),
      ...times(15, ['no', 'no']),
    ];
    expect(computeCohenKappa(pairs as [string, string][])).toBeCloseTo(0.4, 12);
    expect(computeCohenKappa([])).toBeNull();
    expect(computeCohenKappa([['a', 'a']])).toBeNull();
  });

  it("is Fleiss' kappa of the worked example, and of equal numbers of answers alone", () => {
    const units = FLEISS.map((counts) => counts.flatMap((n, category) => times(n, category)));
    expect(computeFleissKappa(units)).toBeCloseTo(0.21, 3);
    expect(computeFleissKappa([...units, [1]])).toBeNull();
    expect(computeFleissKappa([])).toBeNull();
  });

  it.each([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ] as const)("is Krippendorff's alpha of his example on the %s scale, %d", (scale, alpha) => {
    expect(computeKrippendorffAlpha(scale, KRIPPENDORFF)).toBeCloseTo(alpha, 3);
  });

  it('has no alpha where nothing could differ', () => {
    for (const units of [
      [],
      [[1]],
      [
        [1, 1],
        [1, 1],
      ],
    ])
      expect(computeKrippendorffAlpha('interval', units)).toBeNull();
  });
});
