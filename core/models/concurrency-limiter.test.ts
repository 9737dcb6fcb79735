import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that end when they are told to. */
function callsThrough(limiter: ConcurrencyLimiter) {
  const open: (() => void)[] = [];
  const begin = (signal = never, owner = 'a') =>
    limiter.run(owner, signal, () => new Promise<void>((resolve) => open.push(resolve)));
  return { open, begin, settled: settle };
}

describe('a concurrency limiter', () => {
  it('lets so many calls through at once, and the next when one ends', async () => {
    const { open, begin, settled } = callsThrough(new ConcurrencyLimiter(2));
    const calls = [begin(), begin(), begin(), begin()];
    await settled();
    expect(open).toHaveLength(2);
    open[0]!();
    await settled();
    expect(open).toHaveLength(3);
    for (let at = 1; at < 4; at += 1) {
      open[at]!();
      await settled();
    }
    await Promise.all(calls);
  });

  it('halves its limit when it is throttled, down to one, and raises it slowly', () => {
    const limiter = new ConcurrencyLimiter(16);
    for (const limit of [8, 4, 2, 1, 1]) {
      limiter.onThrottle();
      expect(limiter.limit).toBe(limit);
    }
    limiter.onSuccess();
    expect(limiter.limit).toBe(2);
    limiter.onSuccess();
    expect(limiter.limit).toBe(2);
    limiter.onSuccess();
    expect(limiter.limit).toBe(3);
    for (let time = 0; time < 1_000; time += 1) limiter.onSuccess();
    expect(limiter.limit).toBe(16);
  });

  it('lets nobody in who has given up waiting', async () => {
    const { open, begin, settled } = callsThrough(new ConcurrencyLimiter(1));
    const first = begin();
    const stop = new AbortController();
    const second = begin(stop.signal);
    const third = begin();
    stop.abort(new Error('over'));
    await expect(second).rejects.toThrow('over');
    await expect(begin(AbortSignal.abort(new Error('never begun')))).rejects.toThrow('never begun');
    open[0]!();
    await settled();
    expect(open).toHaveLength(2);
    open[1]!();
    await Promise.all([first, third]);
  });

  it('goes on after a call that failed', async () => {
    const limiter = new ConcurrencyLimiter(1);
    await expect(limiter.run('a', never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await limiter.run('a', never, async () => 'next')).toBe('next');
  });

  it('gives free slots to owners in turns, so that a thousand waiting calls of one hold up no call of another', async () => {
    const limiter = new ConcurrencyLimiter(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (owner: string, name: string) =>
      limiter.run(owner, never, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const many = Array.from({ length: 1_000 }, (_, at) => begin('many', `many ${at}`));
    const few = [begin('few', 'few 0'), begin('few', 'few 1'), begin('other', 'other 0')];
    for (let ended = 0; ended < 6; ended += 1) {
      await settle();
      ends.shift()!();
    }
    await settle();
    expect(begun).toEqual(['many 0', 'many 1', 'many 2', 'few 0', 'other 0', 'many 3', 'few 1', 'many 4']);
    while (begun.length < 1_003 || ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await settle();
    }
    await Promise.all([...many, ...few]);
    expect(limiter.isIdle).toBe(true);
  });

  it('turns away all that wait at once, and goes on with who has a slot', async () => {
    const limiter = new ConcurrencyLimiter(1);
    const { open, begin } = callsThrough(limiter);
    const calls = [begin(), begin(), begin(never, 'b')];
    await settle();
    limiter.rejectWaiting(new Error('not now'));
    await expect(calls[1]).rejects.toThrow('not now');
    await expect(calls[2]).rejects.toThrow('not now');
    open[0]!();
    await calls[0];
    expect(limiter.isIdle).toBe(true);
  });
});
