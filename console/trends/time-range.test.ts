import { describe, expect, it } from 'vitest';
import { betweenChanges, fittingIntervals, isRolling, queryTime, rangeChanges, readTime, usualInterval } from './time-range.ts';

const NOW = new Date('2026-05-03T12:00:00.000Z');
const toView = (query: string) => readTime(new URLSearchParams(query));

describe('the time of a dashboard', () => {
  it('is the last week when the address bar says nothing, or nothing that makes sense', () => {
    for (const query of ['', 'range=century', 'from=yesterday&to=today', 'from=2026-05-02&to=2026-05-01', 'interval=7'])
      expect(toView(query)).toEqual({ range: '7d', interval: undefined });
  });

  it('moves on with the clock, unless it lies between two moments', () => {
    expect(queryTime(toView('range=24h'), NOW)).toEqual({
      start_time: '2026-05-02T12:00:00.000Z',
      end_time: '2026-05-03T12:00:00.000Z',
      interval: 60,
    });
    const fixed = toView('from=2026-05-01T00:00:00Z&to=2026-05-01T06:00:00Z');
    expect(isRolling(fixed)).toBe(false);
    expect(queryTime(fixed, NOW)).toEqual({
      start_time: '2026-05-01T00:00:00.000Z',
      end_time: '2026-05-01T06:00:00.000Z',
      interval: 5,
    });
  });

  it('is read back as it was written', () => {
    const written = (changes: object) => new URLSearchParams(JSON.parse(JSON.stringify(changes)));
    expect(readTime(written(rangeChanges('30d')))).toEqual({ range: '30d', interval: undefined });
    const [from, to] = [new Date('2026-05-01T00:00:00.000Z'), NOW];
    expect(readTime(written(betweenChanges(from, to)))).toMatchObject({ from: from.toISOString(), to: to.toISOString() });
  });

  it('has as many buckets as can be told apart', () => {
    expect([60, 360, 1440, 10_080, 43_200, 129_600, 525_600].map(usualInterval)).toEqual([1, 5, 60, 180, 1440, 1440, 10_080]);
    expect(usualInterval(10_000_000)).toBe(10_080);
  });

  it('offers no interval that the API would refuse', () => {
    expect(fittingIntervals(toView('range=1h')).map(({ minutes }) => minutes)).toEqual([1, 5, 15, 60]);
    expect(fittingIntervals(toView('range=90d'))[0]?.minutes).toBe(180);
  });
});
