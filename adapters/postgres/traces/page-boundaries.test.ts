import { beforeEach, describe, expect, it } from 'vitest';
import { PageBoundaries } from './page-boundaries.ts';

const boundary = (token: number) => ({ token, created_at: '2026-01-01T00:00:00.000Z', id: `row ${token - 1}` });

describe('page boundaries', () => {
  let now: number;
  let boundaries: PageBoundaries;
  const nearest = (token: number, listing = 'a') => boundaries.nearest(listing, token)?.token;
  beforeEach(() => {
    now = 0;
    boundaries = new PageBoundaries(() => now);
  });

  it('are found for their page and those behind it, of one listing', () => {
    for (const token of [3_000, 2_000]) boundaries.remember('a', boundary(token));
    expect([1_999, 2_000, 2_999, 3_000, 9_000].map((token) => nearest(token))).toEqual([undefined, 2_000, 2_000, 3_000, 3_000]);
    expect(nearest(3_000, 'b')).toBeUndefined();
  });

  it('are not kept of shallow pages', () => {
    boundaries.remember('a', boundary(PageBoundaries.SHALLOW - 1));
    expect(nearest(5_000)).toBeUndefined();
  });

  it('are replaced by newer ones of the same page', () => {
    boundaries.remember('a', boundary(2_000));
    boundaries.remember('a', { ...boundary(2_000), id: 'another row' });
    expect(boundaries.nearest('a', 2_000)?.id).toBe('another row');
  });

  it('are forgotten after a minute', () => {
    boundaries.remember('a', boundary(2_000));
    now = 59_999;
    expect(nearest(2_000)).toBe(2_000);
    now = 60_001;
    expect(nearest(2_000)).toBeUndefined();
  });

  it('are bounded in number, the oldest giving way', () => {
    for (let page = 1; page <= 60; page += 1) boundaries.remember('a', boundary(page * 1_000));
    expect([nearest(10_999), nearest(11_000), nearest(60_000)]).toEqual([undefined, 11_000, 60_000]);
    for (let listing = 0; listing < 1_000; listing += 1) boundaries.remember(`${listing}`, boundary(1_000));
    expect([nearest(60_000), nearest(1_000, '0'), nearest(1_000, '999')]).toEqual([undefined, 1_000, 1_000]);
  });
});
