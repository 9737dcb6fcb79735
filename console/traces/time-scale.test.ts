import { describe, expect, it } from 'vitest';
import { computeMicros, computeScale, computeTicks, placeOn } from './time-scale.ts';

describe('moments', () => {
  it('keep their microseconds', () => {
    expect(computeMicros('1970-01-01T00:00:01Z')).toBe(1_000_000);
    expect(computeMicros('1970-01-01T00:00:00.1Z')).toBe(100_000);
    expect(computeMicros('1970-01-01T00:00:00.123456Z')).toBe(123_456);
    expect(computeMicros('1970-01-01T00:00:00.123456789Z')).toBe(123_456);
  });
});

describe('the axis of time', () => {
  const scale = computeScale([
    { start: 100, end: 300 },
    { start: 150, end: undefined },
    { start: 120, end: 500 },
  ]);

  it('goes from the first start to the last end', () => {
    expect(scale).toEqual({ start: 100, length: 400 });
  });

  it('places steps by shares of itself, those without an end as a point', () => {
    expect(placeOn(scale, { start: 200, end: 300 })).toEqual({ left: 0.25, width: 0.25 });
    expect(placeOn(scale, { start: 300, end: undefined })).toEqual({ left: 0.5, width: 0 });
    expect(placeOn({ start: 1, length: 0 }, { start: 1, end: 1 })).toEqual({ left: 0, width: 1 });
    expect(placeOn({ start: 1, length: 0 }, { start: 1, end: undefined })).toEqual({ left: 0, width: 0 });
  });

  it('is marked at round moments that leave room for their words', () => {
    expect(computeTicks({ start: 0, length: 2_590_000 })).toEqual([0, 1_000_000, 2_000_000]);
    expect(computeTicks({ start: 0, length: 400 })).toEqual([0, 100, 200, 300]);
    expect(computeTicks({ start: 0, length: 0 })).toEqual([0]);
  });
});
