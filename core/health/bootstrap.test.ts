import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from './bootstrap.ts';

const noPause = async (): Promise<void> => {};
const mean = (values: readonly number[]) => (drawn: Uint32Array) =>
  drawn.reduce((sum, at) => sum + values[at]!, 0) / drawn.length;
const right = (count: number, of: number) => Array.from({ length: of }, (_, at) => Number(at < count));

const LOGGED = [0.2, 1.4, 0.7, 3.1, 0.1, 0.4, 2.2, 0.9, 0.3, 1.1, 0.6, 0.8, 5, 0.5, 1.9, 0.2, 0.7, 1.3, 0.4, 2.8];
const TRUE = [0.5, 1, 0.9, 2.5, 0.4, 0.6, 2, 1.5, 0.1, 1.4, 0.2, 1, 4, 0.9, 1.5, 0.4, 1.2, 0.9, 0.8, 2];
const ERRORS = LOGGED.map((value, at) => Math.abs(value - TRUE[at]!));

describe('the interval of a health score', () => {
  it.each([
    // Exactly: as often as rows are right among as many draws, so the quantiles of a binomial distribution (scipy 1.17.1, stats.binom.ppf).
    ['30 of 40 right', right(30, 40), 0.6, 0.875, 0.03],
    ['180 of 200 right', right(180, 200), 0.855, 0.94, 0.01],
    // scipy 1.17.1, stats.bootstrap(…, n_resamples=400000, method='percentile', rng=numpy.random.default_rng(1)).
    ['a mean of skewed numbers', LOGGED, 0.755, 1.8, 0.08],
    ['a mean absolute error', ERRORS, 0.315, 0.5, 0.015],
  ])('is that of scipy for %s, but for how often is drawn', async (_what, values, low, high, within) => {
    const interval = await bootstrapInterval(values.length, mean(values), noPause);
    expect(interval).toMatchObject({ level: 0.95, resamples: 1_000 });
    expect(Math.abs(interval!.low - low)).toBeLessThan(within);
    expect(Math.abs(interval!.high - high)).toBeLessThan(within);
  });

  it('is the same for the same rows', async () => {
    const once = () => bootstrapInterval(LOGGED.length, mean(LOGGED), noPause);
    expect(await once()).toEqual(await once());
  });

  it('is none for a single row, nor where most draws have no value', async () => {
    expect(await bootstrapInterval(1, () => 1, noPause)).toBeNull();
    let drawn = 0;
    const seldom = (): number | null => {
      drawn += 1;
      return drawn % 3 === 0 ? 1 : null;
    };
    expect(await bootstrapInterval(10, seldom, noPause)).toBeNull();
  });

  it('of many rows is drawn less often, and lets others work in between', async () => {
    let pauses = 0;
    const interval = await bootstrapInterval(
      100_000,
      () => 0.5,
      async () => {
        pauses += 1;
      },
    );
    expect(interval).toEqual({ low: 0.5, high: 0.5, level: 0.95, resamples: 200 });
    expect(pauses).toBe(100);
  });
});
