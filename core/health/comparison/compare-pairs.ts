import { adjustByHolm } from '../../kernel/statistics/holm.ts';
import { computeMean } from '../bias/statistics/paired-effect.ts';
import { type AgreementScale, isErrorScale } from './agreement-scale.ts';
import { computeInterval, type PairedTest, testDifferences } from './paired-tests.ts';
import { type RunPair, SIGNIFICANCE_LEVEL, type Verdict } from './run-comparison.ts';

/** A row of a run that can be used: its ground truth and its score can both be read. */
export interface UsableRow {
  readonly row_id: string;
  /** The same for equal truths. */
  readonly truth_key: string;
  readonly agreement: number;
}

/** Usable rows of a run by row id, in the order of the dataset. */
export type UsableRows<R extends UsableRow = UsableRow> = ReadonlyMap<string, R>;

/** Places of two runs in a list of runs; `run` is judged beside `against`. */
export interface Places {
  readonly run: number;
  readonly against: number;
}

/** Each run beside the baseline, or every pair, the later one beside the earlier one. */
export function listPairs(runs: number, baseline: number | null): Places[] {
  const places = Array.from({ length: runs }, (_, place) => place);
  if (baseline !== null) return places.filter((place) => place !== baseline).map((run) => ({ run, against: baseline }));
  return places.flatMap((against) => places.slice(against + 1).map((run) => ({ run, against })));
}

export interface MatchedRow<R extends UsableRow> {
  readonly run: R;
  readonly against: R;
  /** Agreement of the run minus that of the other one. */
  readonly difference: number;
}

export interface Matched<R extends UsableRow> {
  /** Rows of both that have the same ground truth there. */
  readonly rows: readonly MatchedRow<R>[];
  readonly truth_differs: number;
  readonly only_in_run: number;
  readonly only_in_against: number;
}

/** Puts the rows of two runs together by their ids. */
export function matchRows<R extends UsableRow>(run: UsableRows<R>, against: UsableRows<R>): Matched<R> {
  const rows: MatchedRow<R>[] = [];
  let [truth_differs, only_in_run] = [0, 0];
  for (const [row_id, own] of run) {
    const other = against.get(row_id);
    if (!other) only_in_run += 1;
    else if (other.truth_key !== own.truth_key) truth_differs += 1;
    else rows.push({ run: own, against: other, difference: subtract(own.agreement, other.agreement) });
  }
  return { rows, truth_differs, only_in_run, only_in_against: against.size - rows.length - truth_differs };
}

/** Without what rounding alone made: equal differences are equal, so that ranks are shared, and none is none. */
const subtract = (own: number, other: number): number => {
  const difference = own - other;
  return Math.abs(difference) <= ROUNDING * (Math.abs(own) + Math.abs(other)) ? 0 : Number(difference.toPrecision(DIGITS));
};
const ROUNDING = 1e-12;
const DIGITS = 10;

type Unadjusted = Omit<RunPair, 'adjusted_p_value' | 'verdict'> & { readonly direction: -1 | 0 | 1 };

/** Compares two runs; `verdict` waits for the other comparisons of the report. */
export function comparePair<R extends UsableRow>(
  places: Places,
  { rows, ...counters }: Matched<R>,
  scale: AgreementScale,
  test: PairedTest,
): Unadjusted {
  const differences = rows.map(({ difference }) => difference);
  const up = differences.filter((one) => one > 0).length;
  const down = differences.filter((one) => one < 0).length;
  const { direction, ...result } = testDifferences(test, differences);
  const [better_rows, worse_rows] = isErrorScale(scale) ? [down, up] : [up, down];
  const meanOf = (read: (row: MatchedRow<R>) => number) => (rows.length === 0 ? null : computeMean(rows.map(read)));
  return {
    ...places,
    rows: rows.length,
    ...counters,
    run_mean: meanOf(({ run }) => run.agreement),
    against_mean: meanOf(({ against }) => against.agreement),
    difference: meanOf(({ difference }) => difference),
    interval: computeInterval(differences, scale === 'right'),
    better_rows,
    worse_rows,
    equal_rows: rows.length - up - down,
    test: result,
    direction,
  };
}

/** Corrects for the number of comparisons, and says what each one shows. */
export function judgePairs(pairs: readonly Unadjusted[], scale: AgreementScale): RunPair[] {
  const adjusted = adjustByHolm(pairs.map(({ test }) => test.p_value));
  return pairs.map(({ direction, ...pair }, at) => {
    const adjusted_p_value = adjusted[at]!;
    const sign = isErrorScale(scale) ? -direction : direction;
    return { ...pair, adjusted_p_value, verdict: getVerdict(pair.rows, pairs.length, adjusted_p_value, sign) };
  });
}

function getVerdict(rows: number, comparisons: number, adjusted_p_value: number, sign: number): Verdict {
  if (smallestPossible(rows) * comparisons > SIGNIFICANCE_LEVEL) return 'too_few_rows';
  if (adjusted_p_value > SIGNIFICANCE_LEVEL || sign === 0) return 'no_difference_shown';
  return sign > 0 ? 'better' : 'worse';
}

/** The p-value of the exact tests when all rows changed the same way: one of 2ⁿ choices of signs, at either end. */
const smallestPossible = (rows: number): number => Math.min(1, 2 ** (1 - rows));
