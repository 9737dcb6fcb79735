import { describe, expect, it } from 'vitest';
import type { AlertState } from './alert.ts';
import { bucketsFor, computeWorst, isSilent, nextState, toNotice } from './alert-state.ts';

const NOW = Date.parse('2026-03-01T12:30:00.000Z');
const condition = { operator: 'above', threshold: 10, for_buckets: 2, no_data_buckets: 3, no_data: 'alert' } as const;
const after = (state: AlertState, ...values: (number | null)[]) =>
  nextState(
    condition,
    state,
    values.map((value) => ({ value })),
  );

describe('the state of an alert', () => {
  it.each<[AlertState, (number | null)[], AlertState]>([
    ['ok', [5, 6], 'ok'],
    ['ok', [10, 10], 'ok'],
    ['ok', [5, 11], 'pending'],
    ['ok', [11, 12], 'firing'],
    ['pending', [11, 12], 'firing'],
    ['pending', [12, 3], 'ok'],
    ['pending', [3, 12], 'pending'],
    ['firing', [3, 12], 'firing'],
    ['firing', [12, 3], 'ok'],
    ['firing', [12, null], 'firing'],
    ['pending', [12, null, null], 'pending'],
    ['ok', [null, null, null], 'no_data'],
    ['firing', [null, null, null], 'no_data'],
    ['no_data', [null, null, 5], 'ok'],
    ['no_data', [null, null, 11], 'pending'],
    ['no_data', [null, 11, 11], 'firing'],
    ['ok', [], 'ok'],
  ])('is, after %s and %j, %s', (before, values, expected) => {
    expect(after(before, ...values)).toBe(expected);
  });

  it('does not mind missing values where it is not told to', () => {
    expect(nextState({ ...condition, no_data_buckets: null }, 'ok', [{ value: null }, { value: null }])).toBe('ok');
    expect(bucketsFor(condition)).toBe(3);
    expect(bucketsFor({ ...condition, no_data_buckets: null })).toBe(2);
  });

  it('looks below as well', () => {
    expect(nextState({ ...condition, operator: 'below' }, 'ok', [{ value: 9 }, { value: 9.5 }])).toBe('firing');
    expect(computeWorst({ operator: 'below' }, [3, null, 2])).toBe(2);
    expect(computeWorst({ operator: 'above' }, [3, null, 2])).toBe(3);
    expect(computeWorst({ operator: 'above' }, [null])).toBeNull();
  });

  it('is, where nothing comes, what was chosen', () => {
    const empty = [{ value: null }, { value: null }, { value: null }];
    expect(nextState({ ...condition, no_data: 'ok' }, 'firing', empty)).toBe('ok');
    expect(nextState({ ...condition, no_data: 'keep' }, 'firing', empty)).toBe('firing');
  });

  it('is told by what was told before, and again by a reminder', () => {
    const told = (told_state: 'ok' | 'firing' | 'no_data', reminder_minutes: number | null = null) =>
      (['ok', 'pending', 'firing', 'no_data'] as const).map(
        (state) => toNotice(state, { told_state, told_at: '2026-03-01T12:00:00.000Z' }, { reminder_minutes }, NOW)?.type,
      );
    expect(told('ok', 30)).toEqual([undefined, undefined, 'alert.firing', 'alert.no_data']);
    expect(told('firing')).toEqual(['alert.resolved', undefined, undefined, 'alert.no_data']);
    expect(told('no_data')).toEqual(['alert.resolved', undefined, 'alert.firing', undefined]);
    expect(told('firing', 30)).toEqual(['alert.resolved', undefined, 'alert.firing', 'alert.no_data']);
    expect(told('firing', 31)).toEqual(['alert.resolved', undefined, undefined, 'alert.no_data']);
  });

  it('is held back while it is muted, and in quiet hours unless it is critical', () => {
    const quiet_hours = { time_zone: 'UTC', days: ['Sun'], from: '12:00', until: '13:00' } as const;
    const silent = (more: object) =>
      isSilent({ muted_until: null, quiet_hours: null, severity: 'warning', ...more } as Parameters<typeof isSilent>[0], NOW);
    expect(silent({})).toBe(false);
    expect(silent({ quiet_hours })).toBe(true);
    expect(silent({ quiet_hours, severity: 'critical' })).toBe(false);
    expect(silent({ muted_until: '2026-03-01T12:31:00.000Z', severity: 'critical' })).toBe(true);
    expect(silent({ muted_until: '2026-03-01T12:30:00.000Z' })).toBe(false);
  });
});
