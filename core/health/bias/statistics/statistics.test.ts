import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adjustByHolm } from '../../../kernel/statistics/holm.ts';
import { computeUpperTail } from './binomial-tail.ts';
import { measureEffect, toShareInterval } from './paired-effect.ts';
import { testSignedRanks } from './signed-rank.ts';

interface Fixture {
  readonly signed_rank: { name: string; differences: number[]; two_sided: number; greater: number; rank_biserial: number }[];
  readonly holm: { p_values: number[]; adjusted: number[] }[];
  readonly binomial: { hits: number; n: number; share: number; tail: number }[];
  readonly paired_shares: { down: number; up: number; n: number; low: number; high: number }[];
}

/** Values of scipy and statsmodels; the file names what computed them. */
const fixture = new URL('../../../../test/fixtures/health/bias-statistics.json', import.meta.url);
const { signed_rank, holm, binomial, paired_shares } = JSON.parse(readFileSync(fixture, 'utf8')) as Fixture;
const pause = async () => {};

describe('the statistics of bias audits are those of scipy and statsmodels', () => {
  it.each(signed_rank)('signed ranks: $name', ({ differences, two_sided, greater, rank_biserial }) => {
    const found = testSignedRanks(differences, 'two_sided');
    expect(found.p_value).toBeCloseTo(two_sided, 10);
    expect(found.rank_biserial).toBeCloseTo(rank_biserial, 10);
    expect(testSignedRanks(differences, 'greater').p_value).toBeCloseTo(greater, 10);
  });

  it.each(holm)("Holm's p-values of $p_values", ({ p_values, adjusted }) => {
    for (const [at, p_value] of adjustByHolm(p_values).entries()) expect(p_value).toBeCloseTo(adjusted[at]!, 12);
  });

  it.each(binomial)('$hits of $n at $share', ({ hits, n, share, tail }) => {
    const found = computeUpperTail(hits, n, share);
    expect(Math.abs(found - tail)).toBeLessThanOrEqual(1e-10 * tail);
  });

  it.each(paired_shares)('$up up and $down down of $n', async ({ up, down, n, low, high }) => {
    const differences = Array.from({ length: n }, (_, at) => (at < up ? 1 : at < up + down ? -1 : 0));
    const interval = toShareInterval(differences);
    expect(interval.low).toBeCloseTo(low, 10);
    expect(interval.high).toBeCloseTo(high, 10);
    expect(await measureEffect(differences, pause)).toEqual({ value: (up - down) / n, ...interval });
  });
});

describe('signed ranks', () => {
  it('of differences that are all 0 say nothing', () => {
    expect(testSignedRanks([0, 0, 0], 'two_sided')).toEqual({ p_value: 1, rank_biserial: 0 });
  });

  it('take differences for equal that rounding alone tells apart', () => {
    expect(testSignedRanks([0.1 + 0.2, -0.3, 0.3, 0.3], 'greater')).toEqual(testSignedRanks([3, -3, 3, 3], 'greater'));
  });
});

describe('the interval of graded differences', () => {
  it('holds their mean, and is the same each time', async () => {
    const differences = [0.1, 0.2, 0.05, -0.1, 0.3, 0.15, 0.2, 0];
    const found = await measureEffect(differences, pause);
    expect(found).toEqual(await measureEffect(differences, pause));
    expect(found!.low).toBeLessThan(found!.value);
    expect(found!.high).toBeGreaterThan(found!.value);
  });

  it('needs two of them', async () => {
    expect(await measureEffect([0.5], pause)).toBeNull();
  });
});
