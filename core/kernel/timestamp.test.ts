import { describe, expect, it } from 'vitest';
import { isBefore, sortableTime, toUtc } from './timestamp.ts';

describe('toUtc', () => {
  it.each([
    ['2026-11-21T07:08:09Z', '2026-11-21T07:08:09.000Z'],
    ['2026-11-21T07:08:09.1234567+02:00', '2026-11-21T05:08:09.123456Z'],
    ['2026-11-21T07:08:09.120000-0530', '2026-11-21T12:38:09.120Z'],
    ['2026-11-21 07:08:09', '2026-11-21T07:08:09.000Z'],
    ['2026-11-21 07:08:09+00', '2026-11-21T07:08:09.000Z'],
    ['2026-11-21 07:08:09.12+00', '2026-11-21T07:08:09.120Z'],
    ['2026-11-21 07:08:09.123456+00', '2026-11-21T07:08:09.123456Z'],
    ['2024-02-29 07:08:09+00', '2024-02-29T07:08:09.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
  ])('reads %s', (text, utc) => {
    expect(toUtc(text)).toBe(utc);
  });

  it.each([
    'infinity',
    'yesterday',
    '+275760-09-13T00:00:00Z',
    '2026-11-21T07:08:60Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29 00:00:00+00',
    '2026-04-31 00:00:00+00',
    '2026-11-21 24:00:00+00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '2026-11-21',
    '2026-11-21T24:00:00Z',
    '2026-11-21T07:08:09+99:00',
    '',
  ])('refuses %s', (text) => {
    expect(toUtc(text)).toBeUndefined();
  });
});

describe('comparing timestamps', () => {
  const INSTANTS = [
    '0001-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.119999Z',
    '2026-01-01T00:00:00.120Z',
    '2026-01-01T00:00:00.120001Z',
  ];

  it('goes by time, however many digits a second has', () => {
    for (const [at, instant] of INSTANTS.entries()) {
      expect(INSTANTS.map((other) => isBefore(other, instant))).toEqual(INSTANTS.map((_, index) => index < at));
    }
    expect(INSTANTS.toReversed().toSorted((a, b) => (sortableTime(a) < sortableTime(b) ? -1 : 1))).toEqual(INSTANTS);
  });
});
