import type { HourlyNumbers, RecordNumber } from '../record-index/hourly.ts';

/** Which numbers of a run are meant. */
export interface NumberSelection {
  readonly project_id: string;
  readonly run_id: string;
  readonly names: readonly string[];
  /** Undefined: records of every type. */
  readonly types?: readonly string[] | undefined;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/**
 * The numbers of records, one by one and by the hour. They follow what is logged, scored and deleted at a short distance:
 * see `RecordIndex`.
 */
export interface TrendStore {
  /** By hour, name and type, for the hours that begin in the selected time. Without sketches when not asked for: they are empty then. */
  hourly(selection: NumberSelection, withSketches: boolean): Promise<HourlyNumbers[]>;
  /** One by one, oldest first, at most `limit`. What is counted of every record (`COUNTED`) is only known by the hour. */
  numbers(selection: NumberSelection, limit: number): Promise<RecordNumber[]>;
  /** Names that the run has numbers of. */
  names(project_id: string, run_id: string): Promise<string[]>;
}
