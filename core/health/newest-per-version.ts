import { isBefore } from '../kernel/timestamp.ts';
import type { StoredHealthScore } from './health-score.ts';

/** One score for each version and type: the one computed last. Keeps the order of the first. */
export function newestPerVersion(scores: readonly StoredHealthScore[]): StoredHealthScore[] {
  const newest = new Map<string, StoredHealthScore>();
  for (const score of scores) {
    const key = `${score.scorer_version_id} ${score.health_score_type}`;
    const known = newest.get(key);
    if (!known || isBefore(known.computed_at, score.computed_at)) newest.set(key, score);
  }
  return [...newest.values()];
}
