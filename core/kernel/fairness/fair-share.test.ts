import { describe, expect, it } from 'vitest';
import { FairShare } from './fair-share.ts';

describe('FairShare', () => {
  it('passes over a key that has had its turn, until a new round begins', () => {
    const share = new FairShare({ slots: 4, perKey: 2 });
    share.begin('a');
    expect(share.passedOver).toEqual(['a']);
    expect(share.newRound()).toBe(true);
    expect(share.passedOver).toEqual([]);
    expect(share.newRound()).toBe(false);
  });

  it('passes over a key at its limit in every round, until one of its slots is free again', () => {
    const share = new FairShare({ slots: 4, perKey: 2 });
    for (const key of ['a', 'a', 'b']) share.begin(key);
    share.newRound();
    expect(share.passedOver).toEqual(['a']);
    expect(share.free).toBe(1);
    share.end('a');
    expect(share.passedOver).toEqual([]);
    expect(share.free).toBe(2);
  });
});
