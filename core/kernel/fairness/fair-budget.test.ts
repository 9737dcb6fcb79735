import { describe, expect, it, vi } from 'vitest';
import { FairBudget, type Hold } from './fair-budget.ts';

const user = (name: string) => ({ name, weight: 1 });

/** Grows by ones until refused; returns how much is held then. */
function takeAll(hold: Hold): number {
  let held = 0;
  while (hold.grow(held + 1)) held += 1;
  return held;
}

describe('a budget that is shared', () => {
  it('lets one alone have half, and always leaves room for another as large as the greediest', () => {
    const budget = new FairBudget(120);
    expect(takeAll(budget.open([user('ann')]))).toBe(60);
    expect(takeAll(budget.open([user('bob')]))).toBe(30);
    expect(takeAll(budget.open([user('eve')]))).toBe(15);
    expect(budget.held).toBe(105);
  });

  it('counts all that a party holds together, and each party of a hold', () => {
    const budget = new FairBudget(120);
    const lan = { name: 'lan', weight: 3 };
    const [first, second] = [budget.open([user('ann'), lan]), budget.open([user('ann'), lan])];
    expect(first.grow(40)).toBe(true);
    expect(second.grow(21)).toBe(false);
    expect(second.grow(20)).toBe(true);
    expect(takeAll(budget.open([user('bob'), lan]))).toBe(30);
    expect(takeAll(budget.open([user('eve'), lan]))).toBe(0);
    expect(takeAll(budget.open([user('zoe')]))).toBe(15);
  });

  it('has all of it again when everything was given back, once', () => {
    const budget = new FairBudget(120);
    const hold = budget.open([user('ann')]);
    takeAll(hold);
    hold.release();
    hold.release();
    expect(budget.held).toBe(0);
    expect(takeAll(budget.open([user('ann')]))).toBe(60);
  });

  it('does not shrink a hold that says less than before', () => {
    const budget = new FairBudget(120);
    const hold = budget.open([user('ann')]);
    expect([hold.grow(10), hold.grow(5), budget.held]).toEqual([true, true, 10]);
  });
});

describe('a hold that may be evicted', () => {
  it('gives way to another of the same party, the oldest first, and only until it has settled', () => {
    const budget = new FairBudget(100);
    const evict = Array.from({ length: 4 }, () => vi.fn());
    const holds = evict.map((one) => budget.open([user('ann')], one));
    expect(holds.slice(0, 3).map((hold) => hold.grow(16))).toEqual([true, true, true]);
    holds[0]!.settle();
    expect(holds[3]!.grow(16)).toBe(true);
    expect(evict.map((one) => one.mock.calls.length)).toEqual([0, 1, 0, 0]);
    expect(budget.held).toBe(48);
    expect(holds[3]!.grow(30)).toBe(true);
    expect(evict.map((one) => one.mock.calls.length)).toEqual([0, 1, 1, 0]);
    expect(holds[3]!.grow(40)).toBe(false);
  });

  it('does not give way to another party', () => {
    const budget = new FairBudget(100);
    const evict = vi.fn();
    takeAll(budget.open([user('ann')], evict));
    expect(takeAll(budget.open([user('bob')], vi.fn()))).toBe(25);
    expect(evict).not.toHaveBeenCalled();
  });
});
