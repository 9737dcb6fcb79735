import { describe, expect, it } from 'vitest';
import { JudgeCallExpiry } from './judge-call-expiry.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-31T12:00:00.000Z');

/** So many calls, one kept each day, the last one today. */
function keptFor(days: number, eachDay: number) {
  let kept = Array.from({ length: days * eachDay }, (_, at) => new Date(NOW - Math.floor(at / eachDay) * DAY_MS).toISOString());
  return {
    left: () => kept.length,
    removeKeptBefore: async (time: string, limit: number) => {
      const old = kept.filter((one) => one < time).length;
      const removed = Math.min(limit, old);
      // The oldest stand last.
      kept = kept.slice(0, kept.length - removed);
      return removed;
    },
  };
}

describe('the calls of models that scores were made of', () => {
  it('are removed after so many days, and those of the last days stay', async () => {
    const judgeCallStore = keptFor(40, 2);
    const expiry = new JudgeCallExpiry({ judgeCallStore, judgeCallDays: 30, clock: () => new Date(NOW) });
    expect(await expiry.run()).toEqual({ more: false });
    // Those of today and of the thirty days before it, of which the last is just thirty days old.
    expect(judgeCallStore.left()).toBe(31 * 2);
    expect(await expiry.run()).toEqual({ more: false });
    expect(judgeCallStore.left()).toBe(31 * 2);
  });

  it('are removed a thousand at a time, and it says while there may be more', async () => {
    const judgeCallStore = keptFor(5, 500);
    const expiry = new JudgeCallExpiry({ judgeCallStore, judgeCallDays: 1, clock: () => new Date(NOW) });
    expect(await expiry.run()).toEqual({ more: true });
    expect(judgeCallStore.left()).toBe(1_500);
    expect(await expiry.run()).toEqual({ more: false });
    expect(judgeCallStore.left()).toBe(1_000);
  });
});
