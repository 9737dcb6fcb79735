import { describe, expect, it } from 'vitest';
import { findArrivals } from './arrivals.ts';

describe('records that came', () => {
  const known = new Set(['b', 'c']);

  it('stand before those that were there', () => {
    expect(findArrivals(known, ['a', 'b', 'c'], true)).toEqual(['a']);
  });

  it('are not those that moved up behind deleted ones', () => {
    expect(findArrivals(known, ['a', 'b', 'd'], true)).toEqual(['a']);
  });

  it('may be late ones where the page has room', () => {
    expect(findArrivals(known, ['b', 'c', 'd'], false)).toEqual(['d']);
  });

  it('are all of a page when so many came', () => {
    expect(findArrivals(known, ['x', 'y'], true)).toEqual(['x', 'y']);
  });
});
