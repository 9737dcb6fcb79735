import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combined, computeBucket, computeMiddle, computeQuantile, computeSketch, RELATIVE_ERROR } from './sketch.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
const values = fc.array(fc.oneof(finite, fc.integer({ min: -5, max: 5 })), { minLength: 1, maxLength: 200 });
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * RELATIVE_ERROR * 1.000001 + 1e-12;

describe('a sketch', () => {
  it('puts a value into a bucket that stands for it within the promised share', () => {
    fc.assert(fc.property(finite, (value) => isNear(computeMiddle(computeBucket(value)), value)));
    for (const edge of [0, -0, 1, -1, 1e-13, 1e-11, Number.MAX_SAFE_INTEGER])
      expect(isNear(computeMiddle(computeBucket(edge)), edge)).toBe(true);
  });

  it('returns quantiles within the promised share of the exact ones', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, q) => {
        const exact = all.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(q * all.length)) - 1]!;
        return isNear(computeQuantile(computeSketch(all), q)!, exact);
      }),
    );
  });

  it('of two parts is the sum of their sketches, and can be taken apart again', () => {
    fc.assert(
      fc.property(values, values, (some, others) => {
        const [a, b] = [computeSketch(some), computeSketch(others)];
        expect(combined(a, b)).toEqual(computeSketch([...some, ...others]));
        expect(combined(combined(a, b), b, -1)).toEqual(a);
      }),
    );
  });

  it('of nothing has no quantile', () => {
    expect(computeQuantile({}, 0.5)).toBeNull();
  });
});
