import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairShare } from './fair-share.ts';

let now = 0;
const newShare = (slots: number, perKey: number) => new FairShare({ slots, perKey }, () => now);

describe('FairShare', () => {
  it('gives a slot to the key that holds the fewest, of those to the one that spent the least time, of those to the first', () => {
    const share = newShare(10, 4);
    expect(share.pick(['a', 'b'])).toBe('a');
    const end = share.begin('a');
    expect(share.pick(['a', 'b'])).toBe('b');
    now += 1_000;
    end();
    expect(share.pick(['a', 'b', 'c'])).toBe('b');
    share.begin('b')();
    expect(share.pick(['a', 'b'])).toBe('b');
    share.begin('b');
    expect(share.pick(['a', 'b'])).toBe('a');
  });

  it('forgets in time what was spent', () => {
    const share = newShare(10, 4);
    const endFirst = share.begin('first');
    now += 10_000;
    endFirst();
    now += 600_000;
    const endSecond = share.begin('second');
    now += 100;
    endSecond();
    expect(share.pick(['second', 'first'])).toBe('first');
  });

  it('gives no key more than its limit', () => {
    const share = newShare(10, 2);
    const [end] = [share.begin('a'), share.begin('a')];
    expect(share.pick(['a'])).toBeUndefined();
    end!();
    expect(share.pick(['a'])).toBe('a');
  });

  it('gives nothing when there is no slot, or no key', () => {
    const share = newShare(1, 1);
    expect(share.pick([])).toBeUndefined();
    share.begin('a');
    expect(share.pick(['b'])).toBeUndefined();
    expect(share.free).toBe(0);
  });

  it('has a slot for one more key while no more than half as many keys as slots keep all that they may have', () => {
    const history = fc.array(fc.tuple(fc.nat(4), fc.constantFrom(true, false, false, false)), { maxLength: 200 });
    const property = fc.property(history, (steps) => {
      const share = newShare(10, 4);
      const ends: (() => void)[] = [];
      for (const [at, isEnd] of steps) {
        const hostile = ['a', 'b', 'c', 'd', 'e'].slice(at);
        if (isEnd) ends.splice(at, 1)[0]?.();
        else {
          const key = share.pick(hostile);
          if (key) ends.push(share.begin(key));
        }
        expect(share.pick([...hostile, 'neighbour'])).toBeDefined();
        expect(share.pick(['neighbour'])).toBe('neighbour');
      }
    });
    fc.assert(property);
  });
});
