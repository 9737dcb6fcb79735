import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeSpearman } from './spearman.ts';

/** Values of scipy; the file names what computed them. */
const fixture = new URL('../../../test/fixtures/health/spearman.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  readonly cases: { name: string; truths: number[]; predictions: number[]; rho: number }[];
};

describe("Spearman's rank correlation", () => {
  it.each(cases)('is that of scipy: $name', ({ truths, predictions, rho }) => {
    expect(computeSpearman(truths, predictions)).toBeCloseTo(rho, 12);
  });

  it('is the same in either direction, turns round with one side, and lies between −1 and 1', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 })), { maxLength: 50 });
    fc.assert(
      fc.property(rows, (pairs) => {
        const [left, right] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const rho = computeSpearman(left, right);
        expect(computeSpearman(right, left)).toBe(rho);
        if (rho === null) return;
        expect(Math.abs(rho)).toBeLessThanOrEqual(1 + 1e-12);
        expect(
          computeSpearman(
            left.map((one) => -one),
            right,
          ),
        ).toBeCloseTo(-rho, 12);
      }),
    );
  });

  it('is unknown for fewer than two rows, and where one side is all the same', () => {
    expect([computeSpearman([], []), computeSpearman([1], [2]), computeSpearman([1, 1, 1], [1, 2, 3])]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
