import { expect, vi } from 'vitest';

/**
 * How long a test waits for what has to come, in milliseconds. It ends a hang, and no more: whatever else the machine
 * does, nothing that works takes as long.
 */
export const PATIENCE_MS = 180_000;

/** Asks again until an expectation is met, and resolves to what it returns; rejects with the last failure. */
export function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: PATIENCE_MS, interval: 20 });
}

/**
 * Expects a figure that depends on how fast the machine is, most often milliseconds, to be below its limit where such
 * figures are judged: in `npm run prove`, which sets `JUDGE_TIMES` and has the machine to itself. In the suite, which has
 * to hold on a busy machine as well, it is what it is.
 */
export function expectWithin(limit: number, figure: number): void {
  if (process.env.JUDGE_TIMES === '1') expect(figure).toBeLessThan(limit);
}

/** How much processor time of this process some work takes, in milliseconds: about the same on a busy machine. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
