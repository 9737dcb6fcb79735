import type { Score } from './score.ts';

export interface ScoreStore {
  /**
   * Stores results that are not there yet; one that is stays as it is, so that a repeated job cannot change a score.
   * Results of records that are gone are dropped.
   */
  insert(scores: readonly Score[]): Promise<void>;
  /** Of the given records of a run, by time of scoring. */
  list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]>;
}
