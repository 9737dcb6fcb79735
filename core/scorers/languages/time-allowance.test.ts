import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeAllowance } from './time-allowance.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('an allowance of time', () => {
  it('ends when it is used up, and not before', () => {
    const time = new TimeAllowance(100);
    vi.advanceTimersByTime(99);
    expect(time.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(time.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('stands still while what the host provides is at work, for as long as one of several calls is', async () => {
    const time = new TimeAllowance(100);
    vi.advanceTimersByTime(60);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [time.pauseFor(() => first.promise), time.pauseFor(() => second.promise)];
    vi.advanceTimersByTime(1_000);
    first.resolve();
    await calls[0];
    vi.advanceTimersByTime(1_000);
    second.resolve();
    await calls[1];
    vi.advanceTimersByTime(39);
    expect(time.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(time.signal.aborted).toBe(true);
  });

  it('never ends once it is closed', () => {
    const time = new TimeAllowance(100);
    time.close();
    vi.advanceTimersByTime(1_000);
    expect(time.signal.aborted).toBe(false);
  });
});
