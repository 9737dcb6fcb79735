import { z } from 'zod';
import { mcnemarExact } from '../../kernel/statistics/mcnemar.ts';
import { quantileWithin } from '../../kernel/statistics/student-t.ts';
import { signedRank } from '../../kernel/statistics/wilcoxon.ts';
import type { RowPair } from './row-pairs.ts';

const Share = z.object({ rows: z.int(), share: z.number() });

/** Comparison of one metric between two experiments, over the rows that have it in both. */
export const PairedMetric = z
  .object({
    name: z.string(),
    kind: z.enum(['yes_no', 'number']),
    lower_is_better: z.boolean(),
    n: z.int(),
    baseline_mean: z.number(),
    candidate_mean: z.number(),
    /** Of candidate minus baseline. */
    mean_difference: z.number(),
    /** Of the mean difference, by Student's t for paired samples; null for a single row. */
    interval: z.object({ low: z.number(), high: z.number(), confidence: z.number(), method: z.literal('paired_t') }).nullable(),
    improved: Share,
    worse: Share,
    equal: Share,
    /** Whether as much may come about by chance: exact McNemar on answers of yes and no, else Wilcoxon's signed ranks. */
    test: z.object({
      method: z.enum(['mcnemar_exact', 'wilcoxon_signed_rank_exact', 'wilcoxon_signed_rank_normal']),
      statistic: z.number(),
      p_value: z.number(),
    }),
  })
  .meta({ id: 'PairedMetric' });
export type PairedMetric = z.output<typeof PairedMetric>;

export interface HowToCompare {
  readonly lower_is_better: ReadonlySet<string>;
  /** Of the interval, 0 to 1. */
  readonly confidence: number;
}

/** Every metric that any row has on both sides, by name. */
export function pairedMetrics(pairs: readonly RowPair[], how: HowToCompare): PairedMetric[] {
  const names = new Set(
    pairs.flatMap(({ baseline, candidate }) => [...baseline.metrics.keys()].filter((name) => candidate.metrics.has(name))),
  );
  return [...names].sort().map((name) => pairedMetric(name, pairs, how));
}

function pairedMetric(name: string, pairs: readonly RowPair[], how: HowToCompare): PairedMetric {
  const both = pairs.flatMap(({ baseline, candidate }) => {
    const [before, after] = [baseline.metrics.get(name), candidate.metrics.get(name)];
    return before && after ? [{ before, after }] : [];
  });
  const isYesNo = both.every(({ before, after }) => before.is_yes_no && after.is_yes_no);
  const differences = both.map(({ before, after }) => after.value - before.value);
  const lower_is_better = how.lower_is_better.has(name);
  const [up, down] = [differences.filter((one) => one > 0).length, differences.filter((one) => one < 0).length];
  const n = both.length;
  const computeShare = (rows: number) => ({ rows, share: rows / n });
  return {
    name,
    kind: isYesNo ? 'yes_no' : 'number',
    lower_is_better,
    n,
    baseline_mean: computeMean(both.map(({ before }) => before.value)),
    candidate_mean: computeMean(both.map(({ after }) => after.value)),
    mean_difference: computeMean(differences),
    interval: computeInterval(differences, how.confidence),
    improved: computeShare(lower_is_better ? down : up),
    worse: computeShare(lower_is_better ? up : down),
    equal: computeShare(n - up - down),
    test: isYesNo
      ? { method: 'mcnemar_exact', statistic: Math.min(up, down), p_value: mcnemarExact(up, down) }
      : rankTest(differences),
  };
}

const computeMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function computeInterval(differences: readonly number[], confidence: number): PairedMetric['interval'] {
  const n = differences.length;
  if (n < 2) return null;
  const mean = computeMean(differences);
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  const reach = quantileWithin(confidence, n - 1) * Math.sqrt(variance / n);
  return { low: mean - reach, high: mean + reach, confidence, method: 'paired_t' };
}

function rankTest(differences: readonly number[]): PairedMetric['test'] {
  const { statistic, p_value, is_exact } = signedRank(differences);
  return { method: is_exact ? 'wilcoxon_signed_rank_exact' : 'wilcoxon_signed_rank_normal', statistic, p_value };
}
