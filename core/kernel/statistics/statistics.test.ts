import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, quantileWithin, shareWithin } from '../../kernel/statistics/student-t.ts';
import { mcnemarExact } from './mcnemar.ts';
import { doubledRanks, erf, signedRank } from './wilcoxon.ts';

/** Simpson's rule over many slices: slow, and with nothing clever in it. */
function integral(density: (x: number) => number, from: number, to: number, slices = 20_000): number {
  const width = (to - from) / slices;
  let sum = density(from) + density(to);
  for (let at = 1; at < slices; at += 1) sum += density(from + at * width) * (at % 2 === 1 ? 4 : 2);
  return (sum * width) / 3;
}

describe("Student's t", () => {
  it('has the quantiles that tables print', () => {
    const table = [
      [1, 0.95, 12.7062047],
      [2, 0.95, 4.3026527],
      [10, 0.95, 2.2281389],
      [30, 0.99, 2.7499957],
      [1000, 0.95, 1.9623391],
    ] as const;
    for (const [freedom, share, t] of table) expect(quantileWithin(share, freedom)).toBeCloseTo(t, 6);
  });

  it('holds the share that its density encloses', () => {
    for (const freedom of [1, 2, 3, 7, 20, 100]) {
      const shape = (x: number) => (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);
      // The whole of it by x = tan(angle), which reaches to infinity.
      const whole = integral((angle) => shape(Math.tan(angle)) / Math.cos(angle) ** 2, -1.5707, 1.5707, 400_000);
      for (const t of [0.3, 1, 2.5]) expect(shareWithin(t, freedom)).toBeCloseTo(integral(shape, -t, t) / whole, 3);
    }
  });

  it('is turned around by its quantile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0.5, max: 0.999, noNaN: true }), (freedom, share) => {
        expect(shareWithin(quantileWithin(share, freedom), freedom)).toBeCloseTo(share, 9);
      }),
    );
  });

  it('rests on an incomplete beta function that agrees with a sum of binomials', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    for (const x of [0.1, 0.5, 0.93])
      for (const [a, b] of [
        [1, 1],
        [3, 5],
        [8, 2],
      ] as const) {
        const n = a + b - 1;
        const sum = Array.from({ length: n + 1 }, (_, j) => (j >= a ? choose(n, j) * x ** j * (1 - x) ** (n - j) : 0));
        expect(incompleteBeta(x, a, b)).toBeCloseTo(
          sum.reduce((all, one) => all + one),
          12,
        );
      }
  });
});

describe("McNemar's test", () => {
  it('counts out all ways in which so many rows may have changed', () => {
    for (let toYes = 0; toYes <= 8; toYes += 1)
      for (let toNo = 0; toNo + toYes <= 12; toNo += 1) {
        const changed = toYes + toNo;
        let extreme = 0;
        for (let ways = 0; ways < 2 ** changed; ways += 1) {
          const yes = ways.toString(2).replaceAll('0', '').length;
          if (Math.min(yes, changed - yes) <= Math.min(toYes, toNo)) extreme += 1;
        }
        expect(mcnemarExact(toYes, toNo)).toBeCloseTo(extreme / 2 ** changed, 12);
      }
  });

  it('stays a probability, however many rows there are', () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    expect(mcnemarExact(50_000, 50_000)).toBe(1);
    expect(mcnemarExact(60_000, 40_000)).toBeLessThan(1e-100);
    expect(mcnemarExact(5, 0)).toBe(mcnemarExact(0, 5));
  });
});

describe("Wilcoxon's signed ranks", () => {
  it('are the mean rank for equals', () => {
    expect(doubledRanks([3, 1, 3, 2]).map((rank) => rank / 2)).toEqual([3.5, 1, 3.5, 2]);
  });

  it('agree with all choices of signs gone through one by one', () => {
    const differences = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 10 });
    fc.assert(
      fc.property(differences, (all) => {
        const moved = all.filter((one) => one !== 0);
        const computeRank = (one: number) => {
          const below = moved.filter((other) => Math.abs(other) < Math.abs(one)).length;
          const equal = moved.filter((other) => Math.abs(other) === Math.abs(one)).length;
          return below + (equal + 1) / 2;
        };
        const ranks = moved.map(computeRank);
        const total = ranks.reduce((sum, rank) => sum + rank, 0);
        const getSmaller = (isUp: (at: number) => boolean) => {
          const up = ranks.reduce((sum, rank, at) => sum + (isUp(at) ? rank : 0), 0);
          return Math.min(up, total - up);
        };
        const seen = getSmaller((at) => moved[at]! > 0);
        let extreme = 0;
        for (let ways = 0; ways < 2 ** moved.length; ways += 1)
          if (getSmaller((at) => ((ways >> at) & 1) === 1) <= seen) extreme += 1;
        const { statistic, p_value, is_exact } = signedRank(all);
        expect(is_exact).toBe(true);
        expect(statistic).toBe(seen);
        expect(p_value).toBeCloseTo(extreme / 2 ** moved.length, 12);
      }),
      { numRuns: 200 },
    );
  });

  it('come close to the normal distribution where they are too many to count out', () => {
    const many = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? -(at + 1) : at + 1));
    const { p_value, is_exact, statistic } = signedRank(many);
    expect(is_exact).toBe(false);
    // Another way to the same: simulated signs.
    let state = 12345;
    const random = () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648;
    };
    const rounds = 40_000;
    let extreme = 0;
    for (let round = 0; round < rounds; round += 1) {
      const up = many.reduce((sum, _, at) => sum + (random() < 0.5 ? at + 1 : 0), 0);
      if (Math.min(up, 1830 - up) <= statistic) extreme += 1;
    }
    expect(Math.abs(p_value - extreme / rounds)).toBeLessThan(0.005);
  });

  it('tell nothing of what did not change', () => {
    expect(signedRank([0, 0])).toEqual({ statistic: 0, direction: 0, p_value: 1, is_exact: true });
    expect(signedRank(new Array(100).fill(1)).p_value).toBeLessThan(1e-15);
  });
});

it('the error function agrees with its integral', () => {
  for (const x of [0, 0.1, 0.7, 1.5, 3])
    expect(erf(x)).toBeCloseTo((2 / Math.sqrt(Math.PI)) * integral((t) => Math.exp(-t * t), 0, x), 9);
});
