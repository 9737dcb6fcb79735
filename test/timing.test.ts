import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually, expectWithin, processorMs } from './setup/timing.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a figure above its limit', () => {
  it('fails where figures are judged', () => {
    vi.stubEnv('JUDGE_TIMES', '1');
    expect(() => expectWithin(10, 10)).toThrow();
    expectWithin(10, 9);
  });

  it('is what it is in the suite', () => {
    vi.stubEnv('JUDGE_TIMES', '');
    expectWithin(10, 11);
  });
});

describe('processor time', () => {
  it('is that of the work', () => {
    const busy = (ms: number) => () => {
      for (const end = process.cpuUsage().user + ms * 1000; process.cpuUsage().user < end; );
    };
    expect(processorMs(busy(100))).toBeGreaterThanOrEqual(100);
    expect(processorMs(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100))).toBeLessThan(100);
  });
});

describe('an expectation that is met in the end', () => {
  it('is asked for until then, and gives what it returns', async () => {
    let asked = 0;
    const met = () => {
      asked += 1;
      expect(asked).toBe(3);
      return asked;
    };
    expect(await eventually(met)).toBe(3);
  });
});
