import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { PageBody, PageFields } from '../../kernel/query/page.ts';
import { Id } from '../../kernel/text.ts';
import { PairedMetric } from './paired-metric.ts';

/** Metrics of which less is better, unless somebody says otherwise. */
export const LOWER_IS_BETTER = [
  'duration_ns',
  'time_to_first_token_ns',
  'num_input_tokens',
  'num_output_tokens',
  'num_total_tokens',
  'cost',
];

export const ComparisonRequest = PageBody.extend({
  baseline_id: Id,
  candidate_id: Id,
  /** By which metric the rows that changed are listed; by default the first that somebody judged by. */
  metric: z.string().min(1).max(1024).nullish(),
  lower_is_better: withDefault(z.array(z.string().max(1024)).max(1000), LOWER_IS_BETTER),
  confidence: withDefault(z.number().min(0.5).max(0.999), 0.95),
}).meta({ id: 'ComparisonRequest' });
export type ComparisonRequest = z.output<typeof ComparisonRequest>;

const ComparedSide = z.object({
  trace_id: z.string(),
  value: z.number(),
  output: z.string().nullable(),
});

/** A row whose metric is another one in the candidate. */
export const ChangedRow = z
  .object({
    row_id: z.string().nullable(),
    dataset_input: z.string().nullable(),
    baseline: ComparedSide,
    candidate: ComparedSide,
    /** Candidate minus baseline. */
    difference: z.number(),
  })
  .meta({ id: 'ChangedRow' });
export type ChangedRow = z.output<typeof ChangedRow>;

const Compared = z.object({ id: z.string(), name: z.string(), rows: z.int() });

export const Comparison = z
  .object({
    ...PageFields,
    baseline: Compared,
    candidate: Compared,
    joined_rows: z.int(),
    joined_by_row_id: z.int(),
    joined_by_input: z.int(),
    only_in_baseline: z.int(),
    only_in_candidate: z.int(),
    metrics: z.array(PairedMetric),
    /** The metric that `changes` are about; null when the experiments share none. */
    metric: z.string().nullable(),
    /** Rows that changed most first. */
    changes: z.array(ChangedRow),
  })
  .meta({ id: 'ExperimentComparison' });
export type Comparison = z.output<typeof Comparison>;
