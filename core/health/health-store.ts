import type { StoredHealthScore } from './health-score.ts';
import type { HealthScoreType } from './health-type.ts';

/** Stores the measured health of scorer versions. Values handed in or out belong to the caller. */
export interface HealthStore {
  /**
   * Keeps a health score in place of the one of the same version, dataset, type and use of an overlay, whose id stays.
   * Labels in `secondary` may hold whatever a text may.
   */
  put(score: StoredHealthScore): Promise<void>;
  /** By version number, then type, then without an overlay first. Of all types when none is named. */
  list(scorer_id: string, dataset_id: string, health_score_type?: HealthScoreType): Promise<StoredHealthScore[]>;
}
