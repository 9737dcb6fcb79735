import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeInterval, PairedTest, testDifferences } from './paired-tests.ts';

interface Fixture {
  readonly mcnemar: { up: number; down: number; statistic: number; p_value: number }[];
  readonly wilcoxon: { name: string; differences: number[]; method: string; statistic: number; p_value: number }[];
  readonly paired_t: {
    name: string;
    run: number[];
    against: number[];
    statistic: number;
    p_value: number;
    low: number;
    high: number;
  }[];
}

/** Values of scipy and statsmodels; the file names what computed them. */
const fixture = new URL('../../../test/fixtures/health/paired-tests.json', import.meta.url);
const { mcnemar, wilcoxon, paired_t } = JSON.parse(readFileSync(fixture, 'utf8')) as Fixture;

/** Relative to the value, which may be tiny. */
const expectNear = (found: number, wanted: number): void => {
  expect(Math.abs(found - wanted), `${found} beside ${wanted}`).toBeLessThanOrEqual(1e-9 * Math.abs(wanted));
};

describe('the paired tests are those of scipy and statsmodels', () => {
  it.each(mcnemar)('McNemar: $up up and $down down', ({ up, down, statistic, p_value }) => {
    const differences = Array.from({ length: up + down + 5 }, (_, at) => (at < up ? 1 : at < up + down ? -1 : 0));
    const found = testDifferences('mcnemar', differences);
    expect(found).toMatchObject({ method: 'mcnemar_exact', statistic, direction: Math.sign(up - down) });
    expectNear(found.p_value, p_value);
  });

  it.each(wilcoxon)('Wilcoxon: $name', ({ differences, method, statistic, p_value }) => {
    const found = testDifferences('wilcoxon_signed_rank', differences);
    expect(found).toMatchObject({ method, statistic, direction: 1 });
    expectNear(found.p_value, p_value);
  });

  it.each(paired_t)('t: $name', ({ run, against, statistic, p_value, low, high }) => {
    const differences = run.map((value, at) => value - against[at]!);
    const found = testDifferences('paired_t', differences);
    expectNear(found.statistic!, statistic);
    expectNear(found.p_value, p_value);
    const interval = computeInterval(differences, false)!;
    expectNear(interval.low, low);
    expectNear(interval.high, high);
  });
});

const DIFFERENCE = fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true }));
const shares = fc.array(fc.constantFrom(-1, 0, 1), { maxLength: 80 });
const differences = fc.array(DIFFERENCE, { maxLength: 80 });

describe('every paired test', () => {
  it.each(PairedTest.options)('%s says the same of the swapped sides, the other way round', (test) => {
    fc.assert(
      fc.property(test === 'mcnemar' ? shares : differences, (given) => {
        const [found, swapped] = [given, given.map((one) => 0 - one)].map((all) => testDifferences(test, all));
        expect(swapped!.p_value).toBeCloseTo(found!.p_value, 12);
        expect(swapped!.direction + found!.direction).toBe(0);
        expect(found!.p_value).toBeGreaterThanOrEqual(0);
        expect(found!.p_value).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each(PairedTest.options)('%s finds nothing in differences that are all 0, or none', (test) => {
    for (const given of [[], [0], [0, 0, 0]]) expect(testDifferences(test, given)).toMatchObject({ p_value: 1, direction: 0 });
  });
});

describe('the paired t-test', () => {
  it('has no statistic where all differences are the same, and is sure', () => {
    expect(testDifferences('paired_t', [0.1, 0.1, 0.1])).toMatchObject({ statistic: null, p_value: 0, direction: 1 });
    expect(computeInterval([0.1, 0.1, 0.1], false)).toMatchObject({ low: expect.closeTo(0.1), high: expect.closeTo(0.1) });
  });
});

describe('the interval of a difference', () => {
  it('is turned round where the sides are swapped, and holds the mean', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(DIFFERENCE, { minLength: 2, maxLength: 60 }), (areShares, given) => {
        const all = areShares ? given.map(Math.sign) : given;
        const [found, swapped] = [all, all.map((one) => 0 - one)].map((one) => computeInterval(one, areShares)!);
        expect(swapped!.low).toBeCloseTo(-found!.high, 12);
        expect(swapped!.high).toBeCloseTo(-found!.low, 12);
        expect(found!.low).toBeLessThanOrEqual(found!.high);
      }),
    );
  });

  it('needs two rows', () => {
    expect(computeInterval([1], true)).toBeNull();
  });
});
