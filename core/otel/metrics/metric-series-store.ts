import type { Sketch } from '../../record-index/sketch.ts';
import type { Dimension } from './kept-metrics.ts';
import type { MetricSeries, SeriesHour, StreamState } from './metric-series.ts';

interface RunKey {
  readonly project_id: string;
  readonly run_id: string;
}

/** State that a change begins with: of the streams and series that are asked about those that are there, and how many the project has. */
export interface KnownStreams {
  readonly streams: ReadonlyMap<string, StreamState>;
  readonly series: ReadonlySet<string>;
  readonly num_streams: number;
  readonly num_series: number;
}

/** `hours` are added to those that are there, each hour of a series named once. */
export interface MetricChange {
  readonly series: readonly MetricSeries[];
  readonly streams: readonly { readonly id: string; readonly state: StreamState }[];
  readonly hours: readonly SeriesHour[];
  /** When it was heard of them. */
  readonly at: string;
}

/** Condition on a dimension of series. A series without a value is in no list. */
export interface DimensionCondition {
  readonly dimension: Dimension;
  readonly values: readonly string[];
  readonly is_in: boolean;
}

export interface MetricSeriesQuery extends RunKey {
  readonly name: string;
  readonly where: readonly DimensionCondition[];
  readonly group_by: Dimension | undefined;
  readonly max_groups: number;
  /** Inclusive; a whole hour, as `to` and `minutes`. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Width of the buckets, which begin at multiples of it since 1970; null: the whole time is one. */
  readonly minutes: number | null;
  /** Sketches cost more to read: without them they are null. */
  readonly with_sketches: boolean;
  /** Hours of all series that are read at most. */
  readonly max_hours: number;
}

export interface SeriesNumbers {
  readonly group: string | null;
  /** When the bucket begins, in ms since 1970; null for the whole time. */
  readonly bucket: number | null;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly sketch: Sketch | null;
}

/** Name and unit of a metric of a run. */
export interface MetricName {
  readonly name: string;
  readonly unit: string;
}

/** Metrics of OpenTelemetry as series of a run, added up by the hour. */
export interface MetricSeriesStore {
  /**
   * Keeps what `change` makes of what is there, all or nothing, while nobody else changes series of the run. `change` may not take its time.
   * Rejects with AppError `not_found` when the run is gone.
   */
  update(
    run: RunKey,
    asked: { readonly streams: readonly string[]; readonly series: readonly string[] },
    change: (known: KnownStreams) => MetricChange,
  ): Promise<void>;

  /**
   * The numbers of a metric by bucket and group, the groups with the most numbers. `groups` says how many there are, `hours` how many hours
   * of series they are made of; where these are more than may be read there are no rows. An unknown metric has none.
   */
  aggregate(query: MetricSeriesQuery): Promise<{ rows: SeriesNumbers[]; groups: number; hours: number }>;

  /** Metrics that the run has series of, by name. */
  names(project_id: string, run_id: string): Promise<MetricName[]>;

  /** Removes the hours of a run that begin before a time, and series that nothing was heard of since. */
  removeHoursBefore(project_id: string, run_id: string, time: string): Promise<void>;

  /** Removes up to `limit` streams of any run that nothing was heard of since a time. Returns how many. */
  removeStreamsBefore(time: string, limit: number): Promise<number>;
}
