import { NO_METRICS } from '../scorers/metric-settings.ts';
import type { MetricSettingsStore } from '../scorers/metric-settings-store.ts';
import { type MetricInfo, metricInfoOf } from '../scorers/score.ts';
import type { ScoreStore } from '../scorers/score-store.ts';
import { type LogRecord, type RecordView, viewOf } from './record.ts';

export interface ViewDeps {
  readonly scoreStore: ScoreStore;
  readonly metricSettingsStore: MetricSettingsStore;
}

export type ScoredView = RecordView & { readonly metric_info: MetricInfo };

/** Records of one run as the API shows them, with what scorers said of each, in the order given. */
export async function scoredViews(
  { metricSettingsStore, scoreStore }: ViewDeps,
  project_id: string,
  run_id: string,
  records: readonly LogRecord[],
): Promise<ScoredView[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ id }) => id);
  const [settings, scores] = await Promise.all([
    metricSettingsStore.find(project_id, run_id),
    scoreStore.list(project_id, run_id, ids),
  ]);
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return records.map((record) => ({
    ...viewOf(record),
    metric_info: metricInfoOf(record, settings ?? NO_METRICS, byRecord.get(record.id) ?? []),
  }));
}
