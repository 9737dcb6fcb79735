import { z } from 'zod';
import { PageBody, PageFields } from '../../kernel/query/page.ts';
import { Id } from '../../kernel/text.ts';
import { OutputType } from '../../plugin-sdk/index.ts';
import { Health, HealthRequest } from '../health-score.ts';
import { DifferenceInterval, PairedTest, TestResult } from './paired-tests.ts';

export const MAX_RUNS = 10;
export const SIGNIFICANCE_LEVEL = 0.05;

/** Of a run, by its place in `runs` of the request. */
const Place = z
  .int()
  .min(0)
  .max(MAX_RUNS - 1);

/** A scorer in a run; one run may take part with several scorers. */
const RunToCompare = HealthRequest.pick({ scorer_id: true, scoreable_node_types: true })
  .extend({ run_id: Id })
  .meta({ id: 'RunToCompare' });

export const RunComparisonRequest = PageBody.extend({
  runs: z
    .array(RunToCompare)
    .min(2)
    .max(MAX_RUNS)
    .refine((runs) => new Set(runs.map(({ run_id, scorer_id }) => `${run_id} ${scorer_id}`)).size === runs.length, {
      message: 'a scorer in a run is named twice',
    }),
  /** How truths and scores are read; by default as the scorers declare it, who have to agree in that. */
  output_type: OutputType.nullish(),
  /** Place of the run that all others are held against; without it each pair of runs is compared. */
  baseline: Place.nullish(),
  /** By default the first that fits the output type. */
  test: PairedTest.nullish(),
  mgt_overlay: HealthRequest.shape.mgt_overlay,
  /** The two runs whose differing rows are listed; by default those of the first comparison. */
  rows_of: z
    .object({ run: Place, against: Place })
    .refine(({ run, against }) => run !== against, { message: 'a run does not differ from itself', path: ['against'] })
    .nullish(),
})
  .superRefine(({ runs, baseline, rows_of }, context) => {
    const named = { baseline, run: rows_of?.run, against: rows_of?.against };
    for (const [name, place] of Object.entries(named))
      if (place != null && place >= runs.length)
        context.addIssue({
          code: 'custom',
          message: 'there is no such run',
          path: name === 'baseline' ? [name] : ['rows_of', name],
        });
  })
  .meta({ id: 'RunComparisonRequest' });
export type RunComparisonRequest = z.output<typeof RunComparisonRequest>;

export const Verdict = z.enum(['better', 'worse', 'no_difference_shown', 'too_few_rows']);
export type Verdict = z.output<typeof Verdict>;

/** One run, by the rules of its health. */
const ComparedRun = z
  .object({
    run_id: z.string(),
    run_name: z.string(),
    scorer_id: z.string(),
    scorer_name: z.string(),
    /** Null when nothing was scored, or the candidate is no version yet. */
    scorer_version_id: z.string().nullable(),
    scorer_version_number: z.int().nullable(),
    dataset_version_index: z.int().nullable(),
    truth_column: z.string().nullable(),
    /** Rows whose ground truth and score can both be read. */
    rows: z.int(),
    rows_without_truth: z.int(),
    rows_without_score: z.int(),
    /** Of these the rows on which the scorer failed. */
    failed_rows: z.int(),
    health: Health,
  })
  .meta({ id: 'ComparedRun' });
export type ComparedRun = z.output<typeof ComparedRun>;

/** `run` beside `against`, over the rows that both have. */
const RunPair = z
  .object({
    run: z.int(),
    against: z.int(),
    /** Rows that both can use, and whose ground truth is the same in both. */
    rows: z.int(),
    only_in_run: z.int(),
    only_in_against: z.int(),
    /** Left out: rows that both can use, but for which they were given another ground truth. */
    truth_differs: z.int(),
    /** Mean agreement over the common rows; null without any. */
    run_mean: z.number().nullable(),
    against_mean: z.number().nullable(),
    /** Run minus against. Of errors, less is better. */
    difference: z.number().nullable(),
    interval: DifferenceInterval.nullable(),
    better_rows: z.int(),
    worse_rows: z.int(),
    equal_rows: z.int(),
    test: TestResult,
    /** By Holm's method over all comparisons of the report. */
    adjusted_p_value: z.number(),
    verdict: Verdict,
  })
  .meta({ id: 'RunPair' });
export type RunPair = z.output<typeof RunPair>;

/** As it was read. One of more than 1,000 characters is the beginning of its JSON text. */
const ShownValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.array(z.boolean()),
  z.record(z.string(), z.boolean()),
]);
export type ShownValue = z.output<typeof ShownValue>;

const ComparedScore = z
  .object({
    /** Of several scores of a row the one that they come to. */
    score: ShownValue,
    agreement: z.number(),
    trace_id: z.string(),
    /** The first record that carries a score. */
    record_id: z.string(),
  })
  .meta({ id: 'ComparedScore' });

export const DifferingRow = z
  .object({
    row_id: z.string(),
    truth: ShownValue,
    run: ComparedScore,
    against: ComparedScore,
    /** Agreement of the run minus that of the other one. */
    difference: z.number(),
  })
  .meta({ id: 'DifferingRow' });
export type DifferingRow = z.output<typeof DifferingRow>;

export const ComparisonWarning = z
  .object({
    code: z.enum(['dataset_versions_differ', 'truth_columns_differ', 'truths_differ', 'output_types_differ', 'rows_failed']),
    message: z.string(),
  })
  .meta({ id: 'ComparisonWarning' });
export type ComparisonWarning = z.output<typeof ComparisonWarning>;

export const RunComparison = z
  .object({
    ...PageFields,
    output_type: OutputType,
    /** Null for runs without a dataset: their rows are the traces. */
    dataset_id: z.string().nullable(),
    agreement: z.enum(['right', 'label_f1', 'chunks_right', 'absolute_error']),
    lower_is_better: z.boolean(),
    test: PairedTest,
    significance_level: z.number(),
    runs: z.array(ComparedRun),
    comparisons: z.array(RunPair),
    warnings: z.array(ComparisonWarning),
    /** The two runs of `differing_rows`. */
    rows_of: z.object({ run: z.int(), against: z.int() }),
    /** Rows with another agreement, the largest difference first. */
    differing_rows: z.array(DifferingRow),
  })
  .meta({ id: 'RunComparison' });
export type RunComparison = z.output<typeof RunComparison>;
