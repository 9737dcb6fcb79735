import { z } from 'zod';
import { mcnemarExact } from '../../kernel/statistics/mcnemar.ts';
import { quantileWithin, shareBeyond } from '../../kernel/statistics/student-t.ts';
import { signedRank } from '../../kernel/statistics/wilcoxon.ts';
import { computeMean, toShareInterval } from '../bias/statistics/paired-effect.ts';
import type { ComparableType } from './agreement-scale.ts';

/** McNemar's test asks for right or wrong alone; the two others for how far. */
export const PairedTest = z.enum(['mcnemar', 'wilcoxon_signed_rank', 'paired_t']);
export type PairedTest = z.output<typeof PairedTest>;

/** The first one of each type is taken where none is wanted. A share is next to never exactly right, so it is only asked how far. */
export const FITTING_TESTS: Readonly<Record<ComparableType, readonly [PairedTest, ...PairedTest[]]>> = {
  boolean: ['mcnemar'],
  categorical: ['mcnemar'],
  multilabel: ['wilcoxon_signed_rank', 'mcnemar', 'paired_t'],
  boolean_multilabel: ['wilcoxon_signed_rank', 'mcnemar', 'paired_t'],
  retrieved_chunk_list_boolean: ['wilcoxon_signed_rank', 'mcnemar', 'paired_t'],
  count: ['wilcoxon_signed_rank', 'mcnemar', 'paired_t'],
  discrete: ['wilcoxon_signed_rank', 'mcnemar', 'paired_t'],
  percentage: ['wilcoxon_signed_rank', 'paired_t'],
};

export const TestResult = z
  .object({
    method: z.enum(['mcnemar_exact', 'wilcoxon_signed_rank_exact', 'wilcoxon_signed_rank_normal', 'paired_t']),
    /** The smaller count of rows, the smaller sum of ranks, or t; null where that is infinite. */
    statistic: z.number().nullable(),
    /** Two-sided, of the hypothesis that neither is better. */
    p_value: z.number(),
  })
  .meta({ id: 'PairedTestResult' });
export type TestResult = z.output<typeof TestResult>;

export interface Tested extends TestResult {
  /** To which side of 0 the test found the differences to lie. */
  readonly direction: -1 | 0 | 1;
}

/** Tests paired differences against 0. Those of McNemar's test are −1, 0 and 1. Without any, p is 1. */
export function testDifferences(test: PairedTest, differences: readonly number[]): Tested {
  if (test === 'mcnemar') return testChanges(differences);
  if (test === 'paired_t') return testMean(differences);
  const { statistic, direction, p_value, is_exact } = signedRank(differences);
  return { method: is_exact ? 'wilcoxon_signed_rank_exact' : 'wilcoxon_signed_rank_normal', statistic, p_value, direction };
}

function testChanges(differences: readonly number[]): Tested {
  const [up, down] = [count(differences, 1), count(differences, -1)];
  const direction = Math.sign(up - down) as Tested['direction'];
  return { method: 'mcnemar_exact', statistic: Math.min(up, down), p_value: mcnemarExact(up, down), direction };
}

/** Student's t of paired samples. All the same differences are beyond chance, unless they are 0. */
function testMean(differences: readonly number[]): Tested {
  const n = differences.length;
  if (n < 2 || differences.every((one) => one === 0)) return { method: 'paired_t', statistic: 0, p_value: 1, direction: 0 };
  const t = computeMean(differences) / computeStandardError(differences);
  const direction = Math.sign(t) as Tested['direction'];
  if (!Number.isFinite(t)) return { method: 'paired_t', statistic: null, p_value: 0, direction };
  return { method: 'paired_t', statistic: t, p_value: shareBeyond(t, n - 1), direction };
}

function computeStandardError(differences: readonly number[]): number {
  const [first, n] = [differences[0], differences.length];
  // Their mean need not be equal to them in binary.
  if (differences.every((one) => one === first)) return 0;
  const mean = computeMean(differences);
  return Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1) / n);
}

const LEVEL = 0.95;

export const DifferenceInterval = z
  .object({ low: z.number(), high: z.number(), level: z.number(), method: z.enum(['agresti_min', 'paired_t']) })
  .meta({ id: 'DifferenceInterval' });
export type DifferenceInterval = z.output<typeof DifferenceInterval>;

/**
 * The interval of the mean difference: of Agresti and Min where all are −1, 0 or 1, so of two shares, else of Student's t for paired samples. Null
 * for fewer than two rows.
 */
export function computeInterval(differences: readonly number[], areShares: boolean): DifferenceInterval | null {
  const n = differences.length;
  if (n < 2) return null;
  if (areShares) return { ...toShareInterval(differences), level: LEVEL, method: 'agresti_min' };
  const mean = computeMean(differences);
  const reach = quantileWithin(LEVEL, n - 1) * computeStandardError(differences);
  return { low: mean - reach, high: mean + reach, level: LEVEL, method: 'paired_t' };
}

const count = (differences: readonly number[], wanted: number): number => differences.filter((one) => one === wanted).length;
