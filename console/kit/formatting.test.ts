import { describe, expect, it } from 'vitest';
import { costText, durationText, exactText, numberText, percentText, probabilityText } from './formatting.ts';

describe('numbers', () => {
  it('of a tiny probability say that it is tiny', () => {
    expect([0.000000119, 0.0009, 0.001, 0.0421, 1].map(probabilityText)).toEqual(['< 0.001', '< 0.001', '0.001', '0.0421', '1']);
  });

  it('below zero have the sign of mathematics', () => {
    expect([numberText(-0.25), numberText(-1234.5), costText(-2.5), exactText(-0.5)]).toEqual([
      '−0.25',
      '−1,234.5',
      '−$2.50',
      '−0.500',
    ]);
  });

  it('of small amounts of money show the digits that count', () => {
    expect([0.0246, 0.00004121, 0.05, 0.1234, 12.345, 0].map(costText)).toEqual([
      ...['$0.0246', '$0.0000412', '$0.05', '$0.123', '$12.35', '$0.00'],
    ]);
  });

  it('of times and shares come with their unit, and nothing is a dash', () => {
    expect([0, 1_500, 2_500_000, 3_000_000_000, 95_000_000_000].map(durationText)).toEqual([
      '0 s',
      '1.5 µs',
      '2.5 ms',
      '3 s',
      '1 min 35 s',
    ]);
    expect(percentText(0.1234)).toBe('12.3 %');
    expect([numberText(null), costText(undefined), probabilityText(null)]).toEqual(['–', '–', '–']);
  });
});
