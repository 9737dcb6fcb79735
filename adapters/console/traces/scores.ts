import type { ScoreDetail } from '../../../core/scorers/score-detail.ts';
import type { Metric, MetricInfo } from './score-text.ts';

/** A metric of a record with all that is kept of the result, where there is one. */
export interface ShownScore {
  readonly name: string;
  readonly metric: Metric;
  readonly detail: ScoreDetail | undefined;
}

/** What has a result first; of several results under one name, the newest. */
export function shownScores(info: MetricInfo, details: readonly ScoreDetail[]): ShownScore[] {
  const byName = new Map(details.map((detail) => [detail.metric_name, detail]));
  const shown = Object.entries(info).map(([name, metric]) => ({ name, metric, detail: byName.get(name) }));
  return shown.toSorted((a, b) => Number(b.detail !== undefined) - Number(a.detail !== undefined));
}
