import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeQuantile } from '../../record-index/sketch.ts';
import { computeGrowth, findHistogramFault, MAX_BUCKETS, toAmount } from './histogram.ts';
import type { ExponentialBuckets, OtlpHistogram } from './otlp-metric.ts';

const BOUNDS = [0, 10, 100, 1_000];

/** As an SDK would count values: with bounds, and with base-2 buckets of a scale. */
const explicit = (values: readonly number[], facts: Partial<OtlpHistogram> = {}): OtlpHistogram => ({
  ...factsOf(values),
  buckets: {
    bounds: BOUNDS,
    counts: [...BOUNDS, Number.POSITIVE_INFINITY].map(
      (bound, at) => values.filter((value) => value <= bound && (at === 0 || value > BOUNDS[at - 1]!)).length,
    ),
  },
  ...facts,
});
const exponential = (values: readonly number[], scale: number): OtlpHistogram => {
  const toRow = (sizes: readonly number[]) => {
    const indexes = sizes.map((size) => Math.ceil(Math.log2(size) * 2 ** scale) - 1);
    const offset = Math.min(...indexes, 0);
    const counts = new Array<number>(Math.max(0, ...indexes.map((index) => index - offset + 1))).fill(0);
    for (const index of indexes) counts[index - offset]! += 1;
    return { offset, counts };
  };
  const positive = toRow(values.filter((value) => value > 0));
  const negative = toRow(values.filter((value) => value < 0).map((value) => -value));
  return { ...factsOf(values), buckets: { scale, zero_count: values.filter((value) => value === 0).length, positive, negative } };
};
const factsOf = (values: readonly number[]) => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  min: values.length > 0 ? Math.min(...values) : null,
  max: values.length > 0 ? Math.max(...values) : null,
});
const nearest = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;
const measured = fc.array(fc.double({ min: 0.001, max: 5_000, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('the numbers of a histogram', () => {
  it('have its count, sum and extremes, and as many values in the sketch', () => {
    fc.assert(
      fc.property(measured, fc.boolean(), (values, isExplicit) => {
        const amount = toAmount(isExplicit ? explicit(values) : exponential(values, 3))!;
        expect(amount).toMatchObject({ count: values.length, min: Math.min(...values), max: Math.max(...values) });
        expect(amount.sum).toBeCloseTo(factsOf(values).sum, 6);
        expect(Object.values(amount.sketch).reduce((sum, count) => sum + count, 0)).toBe(values.length);
      }),
    );
  });

  it('have percentiles within the bucket of the exact one', () => {
    fc.assert(
      fc.property(measured, fc.constantFrom(0.5, 0.9, 0.99), (values, share) => {
        const exact = nearest(values, share);
        const at = BOUNDS.findIndex((bound) => exact <= bound);
        const [low, high] = at < 0 ? [1_000, Math.max(...values)] : [BOUNDS[at - 1] ?? 0, BOUNDS[at]!];
        const found = computeQuantile(toAmount(explicit(values))!.sketch, share)!;
        expect(found).toBeGreaterThanOrEqual(low * 0.98);
        expect(found).toBeLessThanOrEqual(high * 1.02);
        const fine = computeQuantile(toAmount(exponential(values, 5))!.sketch, share)!;
        expect(Math.abs(fine - exact) / exact).toBeLessThan(0.05);
      }),
    );
  });

  it('are those of negative values and zeros, too', () => {
    const amount = toAmount(exponential([-8, -2, 0, 0, 4], 2))!;
    expect(amount).toMatchObject({ count: 5, sum: -6, min: -8, max: 4 });
    expect(amount.sketch['0']).toBe(2);
    expect(computeQuantile(amount.sketch, 0)!).toBeLessThan(-6);
  });

  it('do with what the sender says: no sum, no extremes, no buckets', () => {
    const bare = { sum: null, min: null, max: null };
    expect(toAmount(explicit([5, 7], bare))).toMatchObject({ count: 2, sum: 10, min: 0, max: 10 });
    expect(toAmount({ count: 4, sum: 8, min: null, max: null, buckets: { bounds: [], counts: [] } })).toMatchObject({
      ...{ count: 4, sum: 8, min: 2, max: 2 },
    });
    expect(toAmount(explicit([]))).toBeUndefined();
  });
});

describe('what came between two totals', () => {
  it('is what the later values alone make', () => {
    fc.assert(
      fc.property(measured, measured, (before, after) => {
        for (const toHistogram of [explicit, (values: number[]) => exponential(values, 3)]) {
          const growth = computeGrowth(toHistogram([...before, ...after]), toHistogram(before))!;
          expect(growth.count).toBe(after.length);
          expect(growth.sum).toBeCloseTo(factsOf(after).sum, 4);
          expect(toAmount(growth)!.count).toBe(after.length);
        }
      }),
    );
  });

  it('bridges a change of resolution, which senders lower as values spread', () => {
    const growth = computeGrowth(exponential([1, 3, 500, 3_000], 1), exponential([1, 3], 6))!;
    expect(growth).toMatchObject({ count: 2, sum: 3_500 });
    expect((growth.buckets as ExponentialBuckets).positive.counts.reduce((a, b) => a + b, 0)).toBe(2);
  });

  it('is nothing that can be told where there is less than before, or other bounds', () => {
    expect(computeGrowth(explicit([5]), explicit([5, 7]))).toBeUndefined();
    expect(computeGrowth(explicit([50, 50]), explicit([5]))).toBeUndefined();
    expect(computeGrowth(explicit([5, 7]), exponential([5], 3))).toBeUndefined();
    const others = { bounds: [0, 10], counts: [0, 2, 0] };
    expect(computeGrowth({ ...explicit([5, 7]), buckets: others }, explicit([5]))).toBeUndefined();
  });
});

describe('a histogram that makes no sense', () => {
  const row = (facts: Partial<ExponentialBuckets>): OtlpHistogram => {
    const { buckets, ...rest } = exponential([1], 3);
    return { ...rest, buckets: { ...(buckets as ExponentialBuckets), ...facts } };
  };
  it.each([
    ['one bucket more than bounds', { ...explicit([5]), buckets: { bounds: [1], counts: [1] } }],
    ['do not rise', { ...explicit([5]), buckets: { bounds: [2, 1], counts: [1, 0, 0] } }],
    ['do not rise', { ...explicit([5]), buckets: { bounds: [1, Number.NaN], counts: [1, 0, 0] } }],
    ['no count', explicit([5], { count: -1 })],
    ['no count', explicit([5], { count: 0.5 })],
    ['not finite', explicit([5], { sum: Number.POSITIVE_INFINITY })],
    ['the scale', row({ scale: 21 })],
    ['the offset', row({ positive: { offset: 2 ** 40, counts: [1] } })],
    [`more than ${MAX_BUCKETS}`, row({ positive: { offset: 0, counts: new Array(MAX_BUCKETS + 1).fill(1) } })],
  ] as const)('is named: %s', (reason, histogram) => {
    expect(findHistogramFault(histogram)).toContain(reason);
  });

  it('is none that SDKs make', () => {
    for (const histogram of [explicit([5, 7]), exponential([1e-300, 1e300], -10), exponential([1], 20), explicit([])])
      expect(findHistogramFault(histogram)).toBeUndefined();
  });
});
