import { describe, expect, it } from 'vitest';
import { isQuiet, QuietHours } from './quiet-hours.ts';

const night: QuietHours = { time_zone: 'Europe/Berlin', days: ['Fri'], from: '22:00', until: '06:30' };
const at = (time: string) => isQuiet(night, new Date(time));

describe('quiet hours', () => {
  it('go over midnight, by the clock of their zone, from the days that are named', () => {
    // 2026-03-06 is a Friday; Berlin is an hour ahead.
    expect(at('2026-03-06T20:59:00Z')).toBe(false);
    expect(at('2026-03-06T21:00:00Z')).toBe(true);
    expect(at('2026-03-07T05:29:00Z')).toBe(true);
    expect(at('2026-03-07T05:30:00Z')).toBe(false);
    expect(at('2026-03-07T21:30:00Z')).toBe(false);
    expect(at('2026-03-06T03:00:00Z')).toBe(false);
  });

  it('follow summer time', () => {
    expect(at('2026-07-03T19:59:00Z')).toBe(false);
    expect(at('2026-07-03T20:00:00Z')).toBe(true);
  });

  it('last a whole day where both times are the same, and an afternoon where they are not', () => {
    const sunday: QuietHours = { time_zone: 'UTC', days: ['Sun'], from: '00:00', until: '00:00' };
    expect(isQuiet(sunday, new Date('2026-03-08T23:59:00Z'))).toBe(true);
    expect(isQuiet(sunday, new Date('2026-03-09T00:00:00Z'))).toBe(false);
    const noon = { ...sunday, from: '12:00', until: '13:00' };
    expect(isQuiet(noon, new Date('2026-03-08T11:59:00Z'))).toBe(false);
    expect(isQuiet(noon, new Date('2026-03-08T12:00:00Z'))).toBe(true);
  });

  it('are none in a zone that there is not', () => {
    expect(QuietHours.safeParse({ ...night, time_zone: 'Atlantis/Old_Town' }).success).toBe(false);
    expect(QuietHours.safeParse({ ...night, from: '24:00' }).success).toBe(false);
  });
});
