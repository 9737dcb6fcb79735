import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import type { ScoreInfo, Scores } from '../scores/score.ts';

/** A metric of a record with all that is kept of the result, where there is one. */
export interface ShownScore {
  readonly name: string;
  readonly info: ScoreInfo;
  readonly detail: ScoreDetail | undefined;
}

/** Lists scores, those with a result first; of several results under one name, the newest. */
export function shownScores(scores: Scores, details: readonly ScoreDetail[]): ShownScore[] {
  const byName = new Map(details.map((detail) => [detail.metric_name, detail]));
  const shown = Object.entries(scores).map(([name, info]) => ({ name, info, detail: byName.get(name) }));
  return shown.toSorted((a, b) => Number(b.detail !== undefined) - Number(a.detail !== undefined));
}
