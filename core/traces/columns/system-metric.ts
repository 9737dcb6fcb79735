import { z } from 'zod';

const Bucket = z.object({ lower: z.number(), upper: z.number(), count: z.int() });

/** How numbers are spread. Of a bucket the upper end belongs to the next one, except of the last. */
export const Histogram = z
  .object({
    strategy: z.enum(['fixed', 'trimmed', 'quantile']),
    edges: z.array(z.number()),
    buckets: z.array(Bucket),
    total: z.int(),
  })
  .meta({ id: 'Histogram' });
export type Histogram = z.output<typeof Histogram>;

/** Known values of one metric. `values` are the values themselves, null where they are many. */
export const SystemMetric = z
  .object({
    name: z.string(),
    label: z.string(),
    unit: z.string().nullable(),
    values: z.array(z.number()).nullable(),
    mean: z.number().nullable(),
    median: z.number().nullable(),
    p5: z.number().nullable(),
    p25: z.number().nullable(),
    p75: z.number().nullable(),
    p95: z.number().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    histogram: Histogram.nullable(),
  })
  .meta({ id: 'SystemMetric' });
export type SystemMetric = z.output<typeof SystemMetric>;

const MAX_VALUES = 100;
const BUCKETS = 10;

/** Of at least one value. Percentiles are exact, between two values in proportion. */
export function systemMetric(name: string, label: string, unit: string | null, values: readonly number[]): SystemMetric {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => percentile(sorted, share);
  return {
    ...{ name, label, unit },
    values: values.length <= MAX_VALUES ? [...values] : null,
    mean: values.reduce((sum, value) => sum + value / values.length, 0),
    median: at(0.5),
    p5: at(0.05),
    p25: at(0.25),
    p75: at(0.75),
    p95: at(0.95),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    histogram: computeHistogram(sorted),
  };
}

/** As SQL's `percentile_cont`, of at least one value in ascending order. */
export function percentile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/** Ten buckets of one width; a single one where all values are the same. */
export function computeHistogram(values: readonly number[]): Histogram | null {
  if (values.length === 0) return null;
  const min = values.reduce((a, b) => Math.min(a, b));
  const max = values.reduce((a, b) => Math.max(a, b));
  const width = (max - min) / BUCKETS;
  const size = width > 0 ? BUCKETS : 1;
  const edges = Array.from({ length: size + 1 }, (_, index) => (index === size ? max : min + index * width));
  const counts = new Array<number>(size).fill(0);
  for (const value of values) {
    let index = Math.min(size - 1, width > 0 ? Math.floor((value - min) / width) : 0);
    // A quotient may be rounded over an edge that was rounded the other way.
    if (value < edges[index]!) index -= 1;
    else if (index < size - 1 && value >= edges[index + 1]!) index += 1;
    counts[index]! += 1;
  }
  const buckets = counts.map((count, index) => ({ lower: edges[index]!, upper: edges[index + 1]!, count }));
  return { strategy: 'fixed', edges, buckets, total: values.length };
}
