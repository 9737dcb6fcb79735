import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { cleanText } from '../../kernel/text.ts';
import { HealthRequest } from '../health-score.ts';

/** Rows and how their ground truth is read. */
const Rows = HealthRequest.omit({ output_type: true }).extend({
  /** The class that scores speak for; without it ground truth is read as yes or no. */
  positive_label: cleanText(1, 255).nullish(),
});

export const CalibrationRequest = Rows.extend({
  /** Parts of the reliability curve. */
  bins: withDefault(z.int().min(2).max(100), 10),
  /** The precision or the recall that a threshold has to reach: one of the two. */
  precision: z.number().gt(0).max(1).nullish(),
  recall: z.number().gt(0).max(1).nullish(),
})
  .refine(({ precision, recall }) => precision == null || recall == null, {
    message: 'only one of precision and recall can be wanted',
    path: ['recall'],
  })
  .meta({ id: 'CalibrationRequest' });
export type CalibrationRequest = z.output<typeof CalibrationRequest>;

/** A version that applies a mapping of this method. */
export const CalibratedVersionRequest = Rows.extend({ method: z.enum(['isotonic', 'platt']) }).meta({
  id: 'CalibratedVersionRequest',
});
export type CalibratedVersionRequest = z.output<typeof CalibratedVersionRequest>;

/** With its Wilson score interval at 95 %. */
const Share = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int() }).meta({ id: 'ShareWithInterval' });

const Fit = z
  .object({
    brier: z.number(),
    /** Expected and maximum calibration error. */
    ece: z.number(),
    mce: z.number(),
  })
  .meta({ id: 'CalibrationFit' });

const Threshold = { threshold: z.number(), precision: Share.nullable(), recall: Share.nullable(), called_true: z.int() };

/** How far a score between 0 and 1 can be read as a probability, and where to draw the line. */
export const Calibration = z
  .object({
    scorer_version_id: z.string().nullable(),
    /** Rows with a score and a ground truth that can be read. */
    rows: z.int(),
    skipped_rows: z.int(),
    positive_rows: z.int(),
    /** Null without rows. */
    scores: Fit.nullable(),
    /** Brier score of saying the share of positive rows each time: a scorer above it knows nothing. */
    baseline_brier: z.number().nullable(),
    reliability: z.array(z.object({ low: z.number(), high: z.number(), mean_score: z.number(), rate: Share })),
    /** Mappings of scores to rates; null with fewer than ten rows of either side. `fit` is that of rows which had no part in it. */
    isotonic: z.object({ points: z.array(z.object({ score: z.number(), rate: z.number() })), fit: Fit }).nullable(),
    platt: z.object({ slope: z.number(), offset: z.number(), fit: Fit }).nullable(),
    /** Up to a hundred, evenly among the distinct scores, ascending. */
    thresholds: z.array(z.object(Threshold)),
    /** The threshold that meets the wanted precision or recall; null when nothing was wanted or nothing does. */
    chosen_threshold: z.object({ ...Threshold, labels_needed: z.int() }).nullable(),
  })
  .meta({ id: 'Calibration' });
export type Calibration = z.output<typeof Calibration>;
export type CalibrationFit = z.output<typeof Fit>;
