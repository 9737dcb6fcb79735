import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeadlineExceeded, withDeadline } from './deadline.ts';

const stray: unknown[] = [];
const note = (reason: unknown): void => void stray.push(reason);
let others: NodeJS.UnhandledRejectionListener[];

beforeEach(() => {
  stray.length = 0;
  // Vitest counts them, too; here they are what is looked for.
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  for (const listener of others) process.on('unhandledRejection', listener);
});

/** Rejections without a handler are told of after the microtasks of a turn. */
const strayAfter = async (ms: number): Promise<unknown[]> => {
  await sleep(ms);
  return stray;
};
const never = new Promise<never>(() => {});

describe('a call under a deadline', () => {
  it('settles as the call does, be it a promise, a plain value or a failure', async () => {
    expect(await withDeadline({ ms: 10_000 }, async () => 'later')).toBe('later');
    expect(await withDeadline({}, () => 'at once')).toBe('at once');
    await expect(withDeadline({ ms: 10_000 }, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });

  it('rejects when the call throws before it returns a promise, and leaves nothing to reject later', async () => {
    const throwing = () => {
      throw new TypeError('thrown');
    };
    await expect(withDeadline({ ms: 20 }, throwing)).rejects.toThrow('thrown');
    expect(await strayAfter(60)).toEqual([]);
  });

  it('rejects at the deadline when the call ignores its signal', async () => {
    await expect(withDeadline({ ms: 10 }, () => never)).rejects.toThrow(DeadlineExceeded);
    await expect(withDeadline({ ms: 10 }, () => never)).rejects.toThrow('no answer within 0.01 seconds');
  });

  it('drops what the call rejects with after the deadline', async () => {
    const late = withDeadline({ ms: 5 }, async () => {
      await sleep(30);
      throw new Error('too late');
    });
    await expect(late).rejects.toThrow(DeadlineExceeded);
    expect(await strayAfter(60)).toEqual([]);
  });

  it("rejects with the reason of the caller's signal, and aborts the one of the call with it", async () => {
    const stop = new AbortController();
    let given: AbortSignal | undefined;
    const call = withDeadline({ ms: 10_000, signal: stop.signal }, (signal) => {
      given = signal;
      return never;
    });
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(given?.reason).toBe(reason);
    await expect(withDeadline({ signal: stop.signal }, () => 'not called')).rejects.toBe(reason);
    expect(await strayAfter(20)).toEqual([]);
  });

  it('leaves no listener at the signal of a caller who makes many calls', async () => {
    const stop = new AbortController();
    let listeners = 0;
    const { signal } = stop;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: unknown[]) => {
      listeners += 1;
      Reflect.apply(addEventListener, signal, args);
    };
    signal.removeEventListener = (...args: unknown[]) => {
      listeners -= 1;
      Reflect.apply(removeEventListener, signal, args);
    };
    for (let calls = 0; calls < 20; calls += 1) await withDeadline({ ms: 10_000, signal }, () => calls);
    expect(listeners).toBe(0);
  });
});
