import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeHistogram, systemMetric } from './system-metric.ts';

describe('a metric of many values', () => {
  it('has exact percentiles, between two values in proportion', () => {
    const metric = systemMetric('duration_ns', 'Duration', 'nano_seconds', [40, 10, 30, 20, 50]);
    expect(metric).toMatchObject({ mean: 30, median: 30, p5: 12, p25: 20, p75: 40, p95: 48, min: 10, max: 50 });
    expect(metric.values).toEqual([40, 10, 30, 20, 50]);
  });

  it('of one value is that value', () => {
    expect(systemMetric('x', 'X', null, [7])).toMatchObject({ mean: 7, median: 7, p5: 7, p95: 7, min: 7, max: 7 });
  });

  it('does not repeat more than a hundred values', () => {
    expect(
      systemMetric(
        'x',
        'X',
        null,
        Array.from({ length: 101 }, () => 1),
      ).values,
    ).toBeNull();
  });
});

describe('a histogram', () => {
  it('has ten buckets of one width, and the greatest value in the last', () => {
    const histogram = computeHistogram([0, 1, 99, 100])!;
    expect(histogram).toMatchObject({ strategy: 'fixed', total: 4 });
    expect(histogram.edges).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(histogram.buckets.map(({ count }) => count)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  });

  it('has one bucket where all values are the same, and none without values', () => {
    expect(computeHistogram([3, 3])).toMatchObject({ edges: [3, 3], buckets: [{ lower: 3, upper: 3, count: 2 }] });
    expect(computeHistogram([])).toBeNull();
  });

  it('puts every value into the bucket whose edges hold it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 50 }), (values) => {
        const { buckets, total } = computeHistogram(values)!;
        expect(total).toBe(values.length);
        for (const [index, { lower, upper, count }] of buckets.entries()) {
          const isLast = index === buckets.length - 1;
          expect(values.filter((value) => value >= lower && (value < upper || (isLast && value <= upper))).length).toBe(count);
        }
      }),
    );
  });
});
