import { describe, expect, it } from 'vitest';
import { CallGate } from './call-gate.ts';

const never = new AbortController().signal;

/** Calls that end when they are told to. */
function callsThrough(gate: CallGate) {
  const open: (() => void)[] = [];
  const begin = (signal = never) => gate.through(signal, () => new Promise<void>((resolve) => open.push(resolve)));
  return { open, begin, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('a gate', () => {
  it('lets so many calls through at once, and the next when one ends', async () => {
    const { open, begin, settled } = callsThrough(new CallGate(2));
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

  it('halves when it is told to slow down, down to one, and widens slowly', () => {
    const gate = new CallGate(16);
    for (const limit of [8, 4, 2, 1, 1]) {
      gate.slowDown();
      expect(gate.limit).toBe(limit);
    }
    gate.wentWell();
    expect(gate.limit).toBe(2);
    gate.wentWell();
    expect(gate.limit).toBe(2);
    gate.wentWell();
    expect(gate.limit).toBe(3);
    for (let time = 0; time < 1_000; time += 1) gate.wentWell();
    expect(gate.limit).toBe(16);
  });

  it('lets nobody in who has given up waiting', async () => {
    const { open, begin, settled } = callsThrough(new CallGate(1));
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
    const gate = new CallGate(1);
    await expect(gate.through(never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await gate.through(never, async () => 'next')).toBe('next');
  });
});
