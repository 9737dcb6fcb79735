import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../kernel/json.ts';
import { toMetricBuckets } from './score-buckets.ts';

const tallies = (metric_name: string, ...counts: [JsonValue, number][]) =>
  counts.map(([value, count]) => ({ metric_name, value, count }));

describe('buckets of a metric', () => {
  it('are answers of yes and no, with their share', () => {
    expect(toMetricBuckets(tallies('ok', [true, 3], [false, 1]))).toEqual([
      { name: 'ok', buckets: { true: 3, false: 1 }, average: 0.75 },
    ]);
  });

  it('are labels, the most frequent first, each entry of a list for itself', () => {
    const [labels] = toMetricBuckets(tallies('tone', ['b', 1], ['a', 1], [['a', 'c'], 2], [{ d: true, e: false }, 1]));
    expect(Object.entries(labels!.buckets)).toEqual([
      ['a', 3],
      ['c', 2],
      ['b', 1],
      ['d', 1],
    ]);
    expect(labels!.average).toBeNull();
  });

  it('are whole numbers where there are few, else ten ranges that hold them all', () => {
    expect(toMetricBuckets(tallies('stars', [5, 2], [1, 1]))[0]).toEqual({
      name: 'stars',
      buckets: { 1: 1, 5: 2 },
      average: 11 / 3,
    });
    const spread = Array.from({ length: 101 }, (_, at): [number, number] => [at / 100, 1]);
    const [ranges] = toMetricBuckets(tallies('score', ...spread));
    expect(Object.keys(ranges!.buckets)).toHaveLength(10);
    expect(Object.keys(ranges!.buckets)[0]).toBe('0..0.1');
    expect(Object.values(ranges!.buckets).reduce((sum, count) => sum + count, 0)).toBe(101);
    expect(toMetricBuckets(tallies('same', [0.5, 4]))[0]!.buckets).toEqual({ 0.5: 4 });
  });
});
