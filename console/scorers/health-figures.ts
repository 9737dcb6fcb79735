import type { HealthScore } from '../../core/health/health-score.ts';
import type { HealthScoreType } from '../../core/health/health-type.ts';
import type { ConfusionTable } from '../../core/health/measure.ts';
import { exactText } from '../kit/formatting.ts';

const ERRORS: ReadonlySet<HealthScoreType> = new Set(['mse', 'mae']);

/** How much better than before, in the unit of the score: errors are better the smaller they are. */
export const gain = (type: HealthScoreType, before: number, after: number): number =>
  ERRORS.has(type) ? before - after : after - before;

/** The types that there are scores of, the one with the most versions first. */
export function typesIn(scores: readonly HealthScore[]): HealthScoreType[] {
  const counts = Map.groupBy(scores, ({ health_score_type }) => health_score_type);
  return [...counts].sort((a, b) => b[1].length - a[1].length).map(([type]) => type);
}

/** The worst health that a gate lets pass, where the default version has been measured. */
export function threshold(scores: readonly HealthScore[], default_version_id: string | null, margin: number): number | undefined {
  const standard = scores.find(({ scorer_version_id }) => scorer_version_id === default_version_id);
  if (!standard) return undefined;
  return ERRORS.has(standard.health_score_type) ? standard.score + margin : standard.score - margin;
}

/** Health of a version beside the first, which is the baseline, and beside the one before. */
export interface Row {
  readonly score: HealthScore;
  readonly beside_first: number | null;
  readonly beside_last: number | null;
}

/** Scores of one type, by version. */
export const toHealthRows = (scores: readonly HealthScore[]): Row[] =>
  scores.map((score, at) => {
    const beside = (other: HealthScore | undefined): number | null =>
      other === undefined || at === 0 ? null : gain(score.health_score_type, other.score, score.score);
    return { score, beside_first: beside(scores[0]), beside_last: beside(scores[at - 1]) };
  });

export const signed = (value: number | null): string => {
  if (value === null) return '–';
  if (Math.abs(value) < 0.0005) return '±0';
  return `${value > 0 ? '+' : ''}${exactText(value)}`;
};

/** How full each cell of a row is, 0 to 1: of all rows with this truth, the share that was called so. */
export const computeShares = ({ counts }: ConfusionTable): number[][] =>
  counts.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => (total === 0 ? 0 : count / total));
  });

/** Figures of the whole, and those of single classes, which are named `f1:<label>`. */
export function computeFigures(secondary: HealthScore['secondary']) {
  const whole: [name: string, value: number | null][] = [];
  const classes = new Map<string, Record<string, number | null>>();
  for (const [name, value] of Object.entries(secondary)) {
    const [, figure, label] = /^(f1|precision|recall|support):(.*)$/s.exec(name) ?? [];
    if (figure === undefined || label === undefined) whole.push([name, value]);
    else classes.set(label, { ...classes.get(label), [figure]: value });
  }
  return { whole, classes: [...classes] };
}
