import { describe, expect, it } from 'vitest';
import { durationIn, exactDuration, hasUnit } from './duration.ts';

describe('a duration that is typed', () => {
  it.each([
    ['1.5 s', 1_500_000_000],
    ['200 ms', 200_000_000],
    ['200ms', 200_000_000],
    ['3 min', 180_000_000_000],
    ['2 h', 7_200_000_000_000],
    ['1 min 30 s', 90_000_000_000],
    ['1min30s', 90_000_000_000],
    ['40 µs', 40_000],
    ['40 us', 40_000],
    ['7 ns', 7],
    ['.5 s', 500_000_000],
  ])('is what its units say: %s', (text, nanoseconds) => {
    expect(durationIn(text)).toBe(nanoseconds);
  });

  it('is in seconds where no unit is given', () => {
    expect(durationIn(' 20 ')).toBe(20_000_000_000);
    expect(durationIn('0.1')).toBe(100_000_000);
    expect(durationIn('0')).toBe(0);
  });

  it('shows its unit, or has none', () => {
    expect(['1.5 s', '40µs'].map(hasUnit)).toEqual([true, true]);
    expect(['', '1.5'].map(hasUnit)).toEqual([false, false]);
  });

  it.each(['', ' ', 'soon', '5 parsecs', '1,5 s', '-1 s', 's', '1.2.3 s', '3 min 5', '1 s later', 'Infinity', '1e3'])(
    'is refused, with what is taken, where it is none: %j',
    (text) => {
      expect(() => durationIn(text)).toThrow(`"${text}" is not a duration: write 200 ms, 1.5 s or 3 min`);
    },
  );
});

describe('a duration to the nanosecond', () => {
  it.each([
    [1_500_000_000, '1.5 s'],
    [180_000_000_000, '3 min'],
    [77_000_000_000, '77 s'],
    [200_000_000, '200 ms'],
    [1_234_567_891, '1.234567891 s'],
    [40_000, '40 µs'],
    [0, '0 ns'],
  ])('is typed in its largest fitting unit, and comes back: %i', (nanoseconds, text) => {
    expect(exactDuration(nanoseconds)).toBe(text);
    expect(durationIn(text)).toBe(nanoseconds);
  });
});
