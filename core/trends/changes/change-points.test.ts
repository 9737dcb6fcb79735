import { describe, expect, it } from 'vitest';
import type { SeriesData } from '../widget-query.ts';
import { findChangePoints, findNear, hasEffectOn } from './change-points.ts';
import { findModelChanges } from './model-changes.ts';
import { toChange } from './trend-change.ts';

const HOUR = 3_600_000;
const DAY_ONE = Date.parse('2026-03-01T00:00:00.000Z');
const LATER = Date.parse('2030-01-01T00:00:00.000Z');
const hour = (at: number): string => new Date(DAY_ONE + at * HOUR).toISOString();

function toSeries(values: readonly (number | null)[], given: Partial<SeriesData> = {}): SeriesData {
  const points = values.map((value, at) => ({ start_time: hour(at), end_time: hour(at + 1), value, count: value ? 1 : 0 }));
  const names = { index: 0, label: 'quality', metric: 'quality', aggregation: 'Average' as const, group: null };
  return { ...names, value: 0, count: 1, is_exact: true, points, ...given };
}
const steps = (length: number, from: number) => Array.from({ length }, (_, at) => ((at * 7) % 5) + (at >= from ? 20 : 0));

describe('change points', () => {
  it('tell both levels and their difference, with the intervals of scipy', () => {
    // Without an order between neighbours: scipy 1.17, stats.t.interval and stats.ttest_ind(equal_var=False).confidence_interval().
    const before = [3, 5, 2, 4, 6, 3, 5, 4, 2, 6, 4, 3, 5, 2, 6];
    const after = [9, 8, 11, 9, 12, 8, 10, 9, 12, 8, 11, 9, 10, 12, 8];
    const [found] = findChangePoints(toSeries([...before, ...after]), LATER);
    expect(found!.at).toBe(hour(15));
    expect(found!.before).toMatchObject({ mean: 4, buckets: 15 });
    expect([found!.before.low, found!.before.high]).toEqual([expect.closeTo(3.18935, 4), expect.closeTo(4.81065, 4)]);
    expect(found!.difference.mean).toBeCloseTo(5.7333, 4);
    expect([found!.difference.low, found!.difference.high]).toEqual([expect.closeTo(4.61186, 4), expect.closeTo(6.85481, 4)]);
    expect(found!.p_value).toBeLessThan(0.01);
  });

  it('have wider intervals where values follow the one before', () => {
    const slow = Array.from({ length: 60 }, (_, at) => Math.floor(at / 3) % 2);
    const quick = Array.from({ length: 60 }, (_, at) => at % 2);
    const width = (values: readonly number[]) => {
      const [found] = findChangePoints(toSeries([...values, ...values.map((value) => value + 100)]), LATER, 1);
      return found!.before.high - found!.before.low;
    };
    expect(width(slow)).toBeGreaterThan(1.2 * width(quick));
  });

  it('pass over buckets without a figure, buckets that are not over yet, and the time before the first number', () => {
    const withGaps = steps(60, 30).flatMap((value) => [value, null]);
    expect(findChangePoints(toSeries(withGaps), LATER).map(({ at }) => at)).toEqual([hour(60)]);
    expect(findChangePoints(toSeries(steps(40, 30)), DAY_ONE + 34 * HOUR)).toEqual([]);
    const counted = toSeries([...Array.from({ length: 40 }, () => 0), ...steps(40, 99).map((value) => value + 1)]);
    expect(findChangePoints({ ...counted, aggregation: 'Sum' }, LATER)).toEqual([]);
    expect(findChangePoints(counted, LATER)).toHaveLength(1);
  });

  it('are near the changes that happened less than so long before or after, and can have an effect', () => {
    const at = (kind: Parameters<typeof toChange>[0]['kind'], place: number, metric_name: string | null = null) =>
      toChange({ kind, at: hour(place), text: '', metric_name });
    const changes = [
      at('prompt_label', 7),
      at('prompt_label', 8.1),
      at('scorer_version', 10, 'quality'),
      at('scorer_version', 10, 'safety'),
      at('model_began', 11.9),
      at('prices', 10, 'cost'),
      at('model_ended', 12),
    ];
    expect(findNear(changes, { at: hour(10), metric: 'quality' }, 2 * HOUR)).toEqual([1, 2, 4]);
    expect(findNear(changes, { at: hour(10), metric: 'metrics/safety' }, 2 * HOUR)).toEqual([1, 3, 4]);
    expect(hasEffectOn(changes[5]!, 'cost')).toBe(true);
    expect(hasEffectOn(changes[5]!, 'duration_ns')).toBe(false);
  });
});

describe('changes of models', () => {
  const calls = (model: string | null, places: readonly number[], count = 10) =>
    places.map((place) => ({ group: model, bucket: DAY_ONE + place * HOUR, count }));
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const found = (...of: ReturnType<typeof calls>[]) =>
    findModelChanges(of.flat(), HOUR).map(({ kind, at, model }) => [kind, model, at]);

  it('are where one begins to be called, and one ends', () => {
    expect(found(calls('old', range(0, 20)), calls('new', range(20, 40)))).toEqual([
      ['model_ended', 'old', hour(20)],
      ['model_began', 'new', hour(20)],
    ]);
  });

  it('are none where calls begin or end altogether, nor of a model that is rare all the time', () => {
    expect(found(calls('only', range(5, 20)))).toEqual([]);
    expect(found(calls('usual', range(0, 100)), calls('rare', [30, 70], 1))).toEqual([]);
    expect(found(calls('usual', range(0, 100)), calls(null, range(50, 100)))).toEqual([]);
    expect(found([])).toEqual([]);
  });

  it('count calls without a model among all', () => {
    expect(found(calls(null, range(0, 20)), calls('named', range(20, 40)))).toEqual([['model_began', 'named', hour(20)]]);
  });
});
