import type { NewScore, Score } from './score.ts';

/** Stores the scores of records of one level: of traces and spans, or of sessions. */
export interface ScoreStore {
  /**
   * Stores results. One that is there stays as it is, so that a repeated job cannot change a score; unless it was made of
   * what `replaces` names: then the new one takes its place and counts how often that happened. Results of records that
   * are gone are dropped. Returns how many were stored.
   */
  insert(scores: readonly NewScore[]): Promise<number>;
  /** Of the given records of a run, by time of scoring. */
  list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]>;
}
