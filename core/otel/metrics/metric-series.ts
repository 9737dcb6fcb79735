import { combined, type Sketch } from '../../record-index/sketch.ts';
import type { Dimension } from './kept-metrics.ts';
import type { OtlpHistogram } from './otlp-metric.ts';

/** Values of a metric that agree in everything that charts can tell apart. */
export interface MetricSeries extends Readonly<Record<Dimension, string | null>> {
  readonly id: string;
  readonly name: string;
  /** As the sender states it: `s`, `{token}`. */
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
}

/** Numbers that belong together: how many, and what is known of them. */
export interface Amount {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly sketch: Sketch;
}

/** Numbers of a series in one hour. */
export interface SeriesHour extends Amount {
  readonly series_id: string;
  /** When it begins, in UTC. */
  readonly hour: string;
}

/**
 * Memory of a stream, the points of one metric from one source with the same attributes. `totals`: the last point that counts from
 * the beginning of the stream. `windows`: times of points, the newest last, and the end of the latest one that is forgotten.
 */
export type StreamState =
  | { readonly of: 'totals'; readonly time: string; readonly value: number | OtlpHistogram }
  | { readonly of: 'windows'; readonly forgotten: string; readonly known: readonly string[] };

export const joinAmounts = <A extends Amount>(a: A, b: Amount): A => ({
  ...a,
  count: a.count + b.count,
  sum: a.sum + b.sum,
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
  sketch: combined(a.sketch, b.sketch),
});
