import { describe, expect, it } from 'vitest';
import {
  type ChartSeries,
  computeBars,
  computePoints,
  findBucket,
  listMarkSteps,
  timeMarks,
  xRange,
  yRange,
} from './chart-model.ts';

const bars = (...values: (number | null)[]): ChartSeries => ({ label: 'bars', kind: 'bars', values });
const line = (...values: (number | null)[]): ChartSeries => ({ label: 'line', kind: 'line', values });
const computeRange = (series: ChartSeries[], isStacked = false) => yRange(series, computeBars([0, 1, 2], series, isStacked));

describe('a chart', () => {
  it('leaves room for half a bar on both sides', () => {
    expect(xRange([100, 110, 120])).toEqual([95, 125]);
    expect(xRange([7])).toEqual([6.5, 7.5]);
    expect(xRange([])).toEqual([0, 1]);
  });

  it('puts bars of several series beside each other', () => {
    const [first, second] = [bars(1, 2), bars(3, 4)];
    const placed = computeBars([0, 10], [first, line(9, 9), second], false);
    expect(placed.get(first)).toEqual({ x0: [-4, 6], width: 4, from: undefined, to: [1, 2] });
    expect(placed.get(second)?.x0).toEqual([0, 10]);
  });

  it('puts parts of a sum on top of each other, over gaps too', () => {
    const [first, second, third] = [bars(1, null), bars(2, 4), bars(3, 5)];
    const placed = computeBars([0, 10], [first, second, third], true);
    expect(placed.get(second)).toMatchObject({ width: 8, from: [1, 0], to: [3, 4] });
    expect(placed.get(third)).toMatchObject({ from: [3, 4], to: [6, 9] });
  });

  it('begins at zero with bars, and with lines that begin near it', () => {
    expect(computeRange([bars(80, 100)])[0]).toBe(0);
    expect(computeRange([line(1, 100)])[0]).toBe(0);
    expect(computeRange([line(95, 100)])[0]).toBeGreaterThan(90);
    expect(computeRange([line(-5, 5)])[0]).toBeLessThan(-5);
  });

  it('holds stacks and intervals whole', () => {
    expect(computeRange([bars(5), bars(6)], true)[1]).toBeGreaterThan(11);
    expect(computeRange([{ ...line(0.5), interval: { low: [0.1], high: [0.9] } }])[1]).toBeGreaterThan(0.9);
  });

  it('has a range when there are no values, or all are the same', () => {
    expect(computeRange([line(null, null)])).toEqual([0, 1]);
    expect(computeRange([line(0, 0)])).toEqual([0, 1]);
    expect(computeRange([line(4, 4)])[1]).toBeGreaterThan(4);
    expect(computeRange([bars(-4)])).toEqual([expect.closeTo(-4.32), 0]);
  });

  it('marks whole numbers by whole steps alone', () => {
    const [counts, shares] = [{ values: [1, null, 0] }, { values: [0.5, 1] }];
    expect(listMarkSteps([counts])?.slice(0, 4)).toEqual([1, 2, 5, 10]);
    expect(listMarkSteps([counts, shares])).toBeUndefined();
    expect(listMarkSteps([{ values: [null] }])).toBeUndefined();
  });

  it('draws each point of a short line, and of a long one those that stand alone', () => {
    expect(computePoints([1, null, 2, 3])).toEqual([0, 2, 3]);
    expect(computePoints([4, null, 5, 6, ...Array<null>(50).fill(null), 7])).toEqual([0, 54]);
  });

  it('marks midnight with the day and other times with the hour', () => {
    const midnight = new Date(2026, 4, 3).getTime() / 1000;
    expect(timeMarks([midnight, midnight + 3600 * 6], 3600 * 6, 'en-GB')).toEqual(['3 May', '06:00']);
    expect(timeMarks([midnight + 3600], 3600 * 24, 'en-GB')).toEqual(['3 May']);
  });
});

const HOUR_S = 3600;

describe('a moment', () => {
  it.each([
    [0, 0],
    [HOUR_S + 5, HOUR_S],
    [2 * HOUR_S - 1, HOUR_S],
    [2 * HOUR_S, undefined],
    [-1, undefined],
  ])('%i is in the bucket %s', (moment, expected) => {
    expect(findBucket([0, HOUR_S], moment)).toBe(expected);
  });
});
