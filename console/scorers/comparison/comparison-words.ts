import type { AgreementScale } from '../../../core/health/comparison/agreement-scale.ts';
import type { TestResult } from '../../../core/health/comparison/paired-tests.ts';
import type { ComparedRun, RunPair, Verdict } from '../../../core/health/comparison/run-comparison.ts';
import { clipped, numberText, valueText } from '../../kit/formatting.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  better: 'Better',
  worse: 'Worse',
  no_difference_shown: 'No difference shown',
  too_few_rows: 'Too few rows',
};

export const AGREEMENT_WORDS: Readonly<Record<AgreementScale, string>> = {
  right: 'Share of rows that are right',
  label_f1: 'Mean F1 of the labels of a row',
  chunks_right: 'Mean share of chunks that are right',
  absolute_error: 'Mean absolute error',
};

export const TEST_WORDS: Readonly<Record<TestResult['method'], string>> = {
  mcnemar_exact: 'Exact McNemar test',
  wilcoxon_signed_rank_exact: 'Wilcoxon signed-rank test, exact',
  wilcoxon_signed_rank_normal: 'Wilcoxon signed-rank test, normal approximation',
  paired_t: 'Paired t-test',
};

/** A run of a comparison, told apart from the others by its scorer and version. */
export const runLabel = ({ run_name, scorer_name, scorer_version_number }: ComparedRun): string =>
  `${run_name} · ${scorer_name}${scorer_version_number === null ? '' : ` v${scorer_version_number}`}`;

export const rangeText = (interval: { readonly low: number; readonly high: number } | null): string =>
  interval ? `${numberText(interval.low)} to ${numberText(interval.high)}` : '–';

export const signedText = (value: number | null): string =>
  value === null ? '–' : value > 0 ? `+${numberText(value)}` : numberText(value);

/** The rows that a comparison left out, and why. */
export function leftOutText({ only_in_run, only_in_against, truth_differs }: RunPair): string {
  const parts = [
    only_in_run > 0 && `${numberText(only_in_run)} only in the first`,
    only_in_against > 0 && `${numberText(only_in_against)} only in the second`,
    truth_differs > 0 && `${numberText(truth_differs)} with another ground truth`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Any truth or score on one line. */
export const scoreText = (value: unknown): string => clipped(valueText(value), 80);
