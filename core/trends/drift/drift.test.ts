import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { computeSketch } from '../../record-index/sketch.ts';
import { NO_NUMBERS } from '../aggregate.ts';
import type { Buckets } from '../series-store.ts';
import { toBins } from './bins.ts';
import { DriftReader } from './drift-reader.ts';
import { toWindows } from './drift-windows.ts';
import { type BinCounts, computeChanceLevel, computeChiSquared95, computeStability, toChange } from './stability.ts';

const toCounts = (reference: readonly number[], current: readonly number[]): BinCounts[] =>
  reference.map((count, at) => ({ reference_count: count, current_count: current[at]! }));

describe('the population stability index', () => {
  it('is that of a published worked example', () => {
    // Shares by income of 2020 and 2021: geeksforgeeks.org, "Population Stability Index (PSI)", 2025.
    const index = computeStability(toCounts([40, 30, 30], [35, 25, 40]));
    const terms = [-0.05 * Math.log(0.35 / 0.4), -0.05 * Math.log(0.25 / 0.3), 0.1 * Math.log(0.4 / 0.3)];
    expect(index).toBeCloseTo(terms[0]! + terms[1]! + terms[2]!, 12);
    expect(index).toBeCloseTo(0.0446, 4);
  });

  it('is the sum of both Kullback-Leibler divergences, the same in either direction', () => {
    const [p, q] = [
      [120, 30, 850],
      [400, 100, 500],
    ] as const;
    const divergence = (of: readonly number[], from: readonly number[]): number =>
      of.reduce((sum, count, at) => sum + (count / 1000) * Math.log2(count / from[at]!) * Math.LN2, 0);
    expect(computeStability(toCounts(p, q))).toBeCloseTo(divergence(p, q) + divergence(q, p), 12);
    expect(computeStability(toCounts(q, p))).toBeCloseTo(computeStability(toCounts(p, q))!, 12);
  });

  it('is zero where nothing moved, finite where a bin is empty, and unknown without values', () => {
    expect(computeStability(toCounts([10, 20], [100, 200]))).toBeCloseTo(0, 12);
    expect(computeStability(toCounts([100, 0], [0, 100]))).toBeCloseTo(2 * 0.995 * Math.log(200), 12);
    expect(computeStability(toCounts([1, 2], [0, 0]))).toBeNull();
    expect(computeChanceLevel(toCounts([0, 0], [1, 2]))).toBeNull();
  });

  it('is no change as long as chance brings as much: by the tables of chi-squared, and by samples', () => {
    for (const [degrees, quantile] of [
      [1, 3.841],
      [2, 5.991],
      [9, 16.919],
      [30, 43.773],
    ] as const)
      expect(Math.abs(computeChiSquared95(degrees) / quantile - 1)).toBeLessThan(0.03);
    expect([toChange(0.3, 0.4), toChange(0.09, 0), toChange(0.1, 0.05), toChange(0.25, 0.05)]).toEqual([
      ...['none', 'none', 'moderate', 'significant'],
    ]);
    const random = seeded(7);
    const draw = (count: number): number[] => {
      const counts = Array.from({ length: 10 }, () => 0);
      for (let one = 0; one < count; one += 1) counts[Math.floor(random() * 10)]! += 1;
      return counts;
    };
    const pairs = Array.from({ length: 1_000 }, () => toCounts(draw(700), draw(100)));
    const beyond = pairs.filter((bins) => computeStability(bins)! > computeChanceLevel(bins)!).length;
    expect(beyond).toBeGreaterThan(20);
    expect(beyond).toBeLessThan(90);
  });
});

describe('bins', () => {
  const counts = (reference: readonly number[], current: readonly number[]) =>
    toBins(computeSketch(reference), computeSketch(current)).map(({ lower, upper, reference_count, current_count }) => {
      return [lower, upper, reference_count, current_count];
    });

  it('are the values themselves where there are few, however rare one is', () => {
    const no = Array.from({ length: 3 }, () => 0);
    const yes = Array.from({ length: 97 }, () => 1);
    expect(counts([...no, ...yes], [0, 1, 1])).toEqual([
      [0, 0, 3, 1],
      [0, 1, 97, 2],
    ]);
  });

  it('have about equal shares of the reference, and one at each end for what lies beyond it', () => {
    const reference = Array.from({ length: 1_000 }, (_, at) => 1 + at / 100);
    const bins = toBins(computeSketch(reference), computeSketch([-5, 0, 0.5, 5, 50, 60]));
    const inner = bins.slice(1, -1);
    expect(inner.length).toBeGreaterThanOrEqual(8);
    expect(inner.length).toBeLessThanOrEqual(10);
    for (const { reference_count } of inner.slice(0, -1)) expect(reference_count).toBeGreaterThanOrEqual(100);
    expect([bins[0]!.lower, bins[0]!.current_count, bins.at(-1)!.upper, bins.at(-1)!.current_count]).toEqual([null, 3, null, 2]);
    expect(bins.reduce((sum, { current_count }) => sum + current_count, 0)).toBe(6);
    expect(bins.reduce((sum, { reference_count }) => sum + reference_count, 0)).toBe(1_000);
    expect(bins.slice(1).every(({ lower }, at) => lower === bins[at]!.upper)).toBe(true);
  });

  it('keep a value apart that many share: what is rare beside it would not be seen', () => {
    const rare = Array.from({ length: 40 }, (_, at) => 0.1 + at / 100);
    const reference = [...rare, ...Array.from({ length: 960 }, () => 1)];
    const current = [...rare, ...rare, ...Array.from({ length: 20 }, () => 1)];
    expect(counts(reference, current)).toEqual([
      [0.0983, 0.497, 40, 80],
      [0.497, 1, 960, 20],
    ]);
  });
});

it('windows that slide together are each judged as when asked for alone', async () => {
  const hour = 3_600_000;
  const random = seeded(11);
  const hours = Array.from({ length: 40 }, (_, at) => {
    const values = Array.from({ length: at % 7 === 0 ? 0 : 50 }, () => Math.floor(random() * (at > 30 ? 3 : 5)));
    return { ...NO_NUMBERS, group: null, bucket: at * hour, count: values.length, sketch: computeSketch(values) };
  });
  const within = ({ from, to }: Buckets) => hours.filter(({ bucket }) => bucket >= Date.parse(from) && bucket < Date.parse(to));
  const reader = new DriftReader({
    seriesStore: { fromHours: async (buckets) => [within(buckets)], fromRecords: async () => ({ rows: [], groups: 0 }) },
  });
  const read = (end: number, count: number) =>
    reader.readWindows(
      { project_id: 'p', run_id: 'r' },
      { end: end * hour, width: hour, count, reference_days: 1 },
      {
        name: 'quality',
        types: undefined,
      },
    );
  const alone = await Promise.all(Array.from({ length: 10 }, (_, at) => read(31 + at, 1)));
  const together = await read(40, 10);
  expect(together).toEqual(alone.flat());
  expect(together.some(({ value }) => value !== null && value > 0.25)).toBe(true);
  expect(together.some(({ value }) => value === null)).toBe(true);
});

describe('windows', () => {
  const now = Date.parse('2026-03-10T12:30:00.000Z');
  const times = (query: Parameters<typeof toWindows>[0]) => {
    const { current, reference } = toWindows(query, now);
    return [reference.from, reference.to, current.from, current.to].map((time) => new Date(time).toISOString().slice(0, 13));
  };
  const codeOf = (query: Parameters<typeof toWindows>[0]): string | undefined => {
    try {
      toWindows(query, now);
    } catch (error) {
      if (error instanceof AppError) return error.code;
    }
    return undefined;
  };

  it('are the last day and the seven days before it, in whole hours, unless others are given', () => {
    expect(times({})).toEqual(['2026-03-02T12', '2026-03-09T12', '2026-03-09T12', '2026-03-10T13']);
    expect(times({ start_time: '2026-03-08T00:00:00Z', end_time: '2026-03-09T00:00:00Z' })).toEqual([
      ...['2026-03-01T00', '2026-03-08T00', '2026-03-08T00', '2026-03-09T00'],
    ]);
    const reference = { reference_start_time: '2026-01-01T00:00:00Z', reference_end_time: '2026-02-01T00:00:00Z' };
    expect(times(reference).slice(0, 2)).toEqual(['2026-01-01T00', '2026-02-01T00']);
  });

  it('are refused where they are empty, too long, or one in the other, at any time that there is', () => {
    expect(codeOf({ start_time: '2026-03-09T00:00:00Z', end_time: '2026-03-08T00:00:00Z' })).toBe('time_range_empty');
    expect(codeOf({ start_time: '2020-03-09T00:00:00Z' })).toBe('window_too_long');
    expect(codeOf({ reference_end_time: '2026-03-10T00:00:00Z' })).toBe('windows_overlap');
    expect(codeOf({ end_time: '0001-01-01T00:00:00Z' })).toBe('time_range_empty');
    expect(times({ end_time: '9999-12-31T23:59:59.999Z' })[3]).toBe('9999-12-31T23');
  });
});

/** Numbers from 0 to 1, always the same ones: a linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
