import type { Sketch } from '../record-index/sketch.ts';
import type { FilterTree } from '../traces/record-query.ts';

/** Aggregates of a set of numbers. */
export interface Numbers {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** How many of them are 0: results of scorers that say no. */
  readonly zeros: number;
  /** Of these numbers, where sketches were asked for. */
  readonly sketch: Sketch | null;
  /** By nearest rank, where one was asked for. */
  readonly quantile: number | null;
}

export interface NumbersOfBucket extends Numbers {
  readonly group: string | null;
  /** When the bucket begins, in ms since 1970; null for the whole time. */
  readonly bucket: number | null;
}

/** The time that is meant, in buckets. */
export interface Buckets {
  readonly project_id: string;
  readonly run_id: string;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Width of the buckets, which begin at multiples of it since 1970; null: the whole time is one. */
  readonly minutes: number | null;
}

export interface Slice {
  /** The name of the numbers. */
  readonly name: string;
  /** Undefined: of records of every type. */
  readonly types: readonly string[] | undefined;
}

/** `zeros` and `sketch` cost more to read than sums; a sketch comes with zeros. Without zeros they are 0. */
export interface HourlySlice extends Slice {
  readonly detail: 'sums' | 'zeros' | 'sketch';
  /** One group for each type of record, named by it. */
  readonly by_type: boolean;
}

export interface RecordSlice extends Slice {
  /** About the records that have the numbers. */
  readonly where: FilterTree;
  /** A column of these records; by `tags` a record counts in the group of each of its tags. */
  readonly group_by: string | undefined;
  /** Groups that are answered, those with the most numbers. */
  readonly max_groups: number;
  /** A share from 0 to 1. */
  readonly quantile: number | undefined;
}

/**
 * The numbers of records, added up over time. They follow what is logged, scored and deleted at a short distance: see
 * `RecordIndex`. Buckets without numbers are left out, an unknown run has none.
 */
export interface SeriesStore {
  /** From the hourly roll-up, in one go: for each slice its buckets. Whole hours: bounds and widths have to be such. */
  fromHours(buckets: Buckets, slices: readonly HourlySlice[]): Promise<NumbersOfBucket[][]>;
  /**
   * From the records themselves, exactly. Beside its buckets each group has one row for the whole time, also where that is
   * the only bucket. `groups` says how many groups there are, the unanswered ones included.
   */
  fromRecords(
    buckets: Buckets,
    slice: RecordSlice,
  ): Promise<{ readonly rows: readonly NumbersOfBucket[]; readonly groups: number }>;
}
