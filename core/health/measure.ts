import { z } from 'zod';

/** Score and value of the constant scorer that would do best. */
export const Baseline = z
  .object({ value: z.number(), prediction: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]) })
  .meta({ id: 'HealthBaseline' });
export type Baseline = z.output<typeof Baseline>;

/** How often each class was called what: a list per truth, in it a number per prediction, both in the order of the labels. */
export const ConfusionTable = z
  .object({
    labels: z.array(z.string()),
    counts: z.array(z.array(z.int())),
    /** Rows with a class that is not among the labels. */
    other_rows: z.int(),
  })
  .meta({ id: 'ConfusionTable' });
export type ConfusionTable = z.output<typeof ConfusionTable>;

export type Secondary = Readonly<Record<string, number | null>>;

/** How well scores fit the truths of the same rows. There is at least one row. */
export interface Measure {
  /** Null where it is undefined. */
  readonly value: number | null;
  readonly secondary: Secondary;
  readonly baseline: Baseline | null;
  readonly confusion_table: ConfusionTable | null;
  /** The value over some of the rows, which may repeat. */
  over(rows: ArrayLike<number>): number | null;
}

/** Replaces numbers that JSON cannot hold by null. */
export const finiteOrNull = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);
