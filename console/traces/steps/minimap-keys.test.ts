import { describe, expect, it } from 'vitest';
import { computeRowsInSight, toScroll } from './minimap-keys.ts';

describe('the keys of the minimap', () => {
  const sight = { from: 0.5, to: 0.52 };

  it('scroll by what is in sight, by a tenth, and to the ends', () => {
    expect(toScroll('ArrowDown', sight)).toBeCloseTo(0.52);
    expect(toScroll('ArrowUp', sight)).toBeCloseTo(0.48);
    expect(toScroll('PageDown', sight)).toBeCloseTo(0.6);
    expect(toScroll('PageUp', sight)).toBeCloseTo(0.4);
    expect(toScroll('Home', sight)).toBe(0);
    expect(toScroll('End', sight)).toBeCloseTo(0.98);
    expect(toScroll('Tab', sight)).toBeUndefined();
  });

  it('stop at the ends', () => {
    expect(toScroll('PageUp', { from: 0.01, to: 0.03 })).toBe(0);
    expect(toScroll('ArrowDown', { from: 0.97, to: 0.99 })).toBeCloseTo(0.98);
  });
});

describe('the rows in sight', () => {
  it('are those that are seen whole', () => {
    expect(computeRowsInSight({ from: 0.25, to: 0.35 }, 1000)).toEqual({ first: 250, last: 349 });
    expect(computeRowsInSight({ from: 0.2505, to: 0.3505 }, 1000)).toEqual({ first: 251, last: 349 });
    expect(computeRowsInSight({ from: 0, to: 1 }, 3)).toEqual({ first: 0, last: 2 });
    expect(computeRowsInSight({ from: 0, to: 0 }, 3)).toEqual({ first: 0, last: 0 });
  });
});
