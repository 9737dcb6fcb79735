import { z } from 'zod';
import { Id } from '../kernel/text.ts';
import { OutputType } from '../plugin-sdk/index.ts';
import { NodeTypes } from '../scorers/scorer.ts';
import { Interval } from './bootstrap.ts';
import { HealthScoreType } from './health-type.ts';
import { Baseline, ConfusionTable } from './measure.ts';

const MAX_OVERLAY_ROWS = 200_000;
const MAX_TRUTH_LENGTH = 100_000;

export const HealthRequest = z
  .object({
    scorer_id: Id,
    output_type: OutputType,
    scoreable_node_types: NodeTypes.nullish(),
    mgt_overlay: z
      .record(z.string().max(100), z.string().max(MAX_TRUTH_LENGTH).nullable())
      .refine((overlay) => Object.keys(overlay).length <= MAX_OVERLAY_ROWS, { message: `more than ${MAX_OVERLAY_ROWS} rows` })
      .nullish(),
  })
  .meta({ id: 'HealthRequest' });
export type HealthRequest = z.output<typeof HealthRequest>;

const secondary = z.record(z.string(), z.number().nullable());

/** The health of a run. What stands behind `joined_rows` goes beyond the counters: null where there is nothing to tell. */
export const Health = z
  .object({
    health_score_type: HealthScoreType.nullable(),
    value: z.number().nullable(),
    skipped_rows: z.int(),
    secondary,
    total_scored_rows: z.int(),
    total_mgt_rows: z.int(),
    joined_rows: z.int(),
    interval: Interval.nullable(),
    baseline: Baseline.nullable(),
    confusion_table: ConfusionTable.nullable(),
  })
  .meta({ id: 'Health' });
export type Health = z.output<typeof Health>;

/** The newest health of a scorer version against a dataset, as it is kept. */
export const HealthScore = z
  .object({
    id: z.string(),
    scorer_version_id: z.string(),
    scorer_version_number: z.int(),
    dataset_id: z.string(),
    health_score_type: HealthScoreType,
    score: z.number(),
    secondary,
    /** These three are null for what was measured before they were kept, and where there is nothing to tell. */
    interval: Interval.nullable(),
    baseline: Baseline.nullable(),
    confusion_table: ConfusionTable.nullable(),
    computed_at: z.string(),
    /** The version of the dataset that the run went through. */
    dataset_version_index: z.int().nullable(),
    run_id: z.string(),
    /** Whether ground truth that is not committed took part. */
    with_overlay: z.boolean(),
  })
  .meta({ id: 'HealthScore' });
export type HealthScore = z.output<typeof HealthScore>;

export interface StoredHealthScore extends HealthScore {
  readonly scorer_id: string;
}

export const HealthScoreQuery = z.object({ dataset_id: Id, health_score_type: HealthScoreType.optional() });
export type HealthScoreQuery = z.output<typeof HealthScoreQuery>;

export const ListedHealthScore = HealthScore.extend({
  /** Of the run. Null for one that is gone or that the caller does not see, and of all but the newest two hundred runs. */
  project_id: z.string().nullable(),
}).meta({ id: 'ListedHealthScore' });
export type ListedHealthScore = z.output<typeof ListedHealthScore>;

export const HealthScoreList = z.object({ scores: z.array(ListedHealthScore) }).meta({ id: 'HealthScoreList' });
