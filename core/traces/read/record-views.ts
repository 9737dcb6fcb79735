import type { RatingStore } from '../../ratings/rating-store.ts';
import { type RatingView, ratingViews } from '../../ratings/rating-views.ts';
import type { ScoresBelow } from '../../scorers/scores/roll-up.ts';
import { rollUps } from '../../scorers/scores/rolled-up.ts';
import { type MetricInfo, metricInfoOf } from '../../scorers/scores/score.ts';
import type { ScoreStore } from '../../scorers/scores/score-store.ts';
import { NO_METRICS } from '../../scorers/settings/metric-settings.ts';
import type { MetricSettingsStore } from '../../scorers/settings/metric-settings-store.ts';
import { type LogRecord, type RecordView, viewOf } from '../record.ts';

export interface ViewDeps {
  readonly scoreStore: ScoreStore;
  readonly scoresBelow: ScoresBelow;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly ratingStore: RatingStore;
}

export type ScoredView = RecordView & RatingView & { readonly metric_info: MetricInfo };

/** Records of one run as the API shows them, with what scorers and people said of each, in the order given. */
export async function scoredViews(
  { metricSettingsStore, scoreStore, scoresBelow, ratingStore }: ViewDeps,
  project_id: string,
  run_id: string,
  records: readonly LogRecord[],
): Promise<ScoredView[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ id }) => id);
  const [settings = NO_METRICS, scores, ratingsOf] = await Promise.all([
    metricSettingsStore.find(project_id, run_id),
    scoreStore.list(project_id, run_id, ids),
    ratingViews(ratingStore, project_id, run_id, ids),
  ]);
  const traces = records.filter(({ type }) => type === 'trace').map(({ id }) => id);
  const below = await rollUps(scoresBelow, settings, { project_id, run_id, level: 'trace', ids: traces });
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return records.map((record) => ({
    ...viewOf(record),
    metric_info: { ...below.get(record.id), ...metricInfoOf(record, settings, byRecord.get(record.id) ?? []) },
    ...ratingsOf(record.id),
  }));
}
