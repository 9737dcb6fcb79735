import type { z } from 'zod';

/** Verdicts that a version may give, for its judge to be tested for bias. */
export interface ScorerAudit<D extends z.ZodType = z.ZodType> {
  /** Labels that a verdict may name, in the order in which the judge is shown them; undefined where it is shown none. */
  labels?(definition: z.output<D>): readonly string[] | undefined;
  /** The definition with its labels shown in this order. Needed where there are `labels`. */
  withLabels?(definition: z.output<D>, labels: readonly string[]): z.output<D>;
  /** Ends of the scale of whole-number ratings, both included. */
  range?(definition: z.output<D>): { readonly min: number; readonly max: number } | undefined;
}
