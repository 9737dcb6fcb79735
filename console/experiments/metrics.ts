import type { Experiment } from '../../core/experiments/experiment.ts';
import { isDuration } from '../kit/duration.ts';
import { costText, durationText, numberText, percentText } from '../kit/formatting.ts';
import { toLabel } from '../kit/label.ts';

/** Whether a metric is measured, not judged: duration, quantity, cost. */
export const isMeasured = (name: string): boolean =>
  isDuration(name) || name.endsWith('_tokens') || name === 'cost' || name === 'error_rate';

/** The metrics of some experiments, those first that somebody judged by. */
export function metricNames(experiments: readonly Pick<Experiment, 'aggregate_metrics'>[]): string[] {
  const names = new Set(experiments.flatMap(({ aggregate_metrics }) => Object.keys(aggregate_metrics)));
  return [...names].sort((a, b) => Number(isMeasured(a)) - Number(isMeasured(b)) || (a < b ? -1 : 1));
}

/** Words in place of the name of a measured metric: `duration_ns` is "Duration". */
export const metricLabel = (name: string): string => (isMeasured(name) ? toLabel(name) : name);

/** A value of a metric in the unit that its name tells. */
export function metricText(name: string, value: number | null | undefined): string {
  if (isDuration(name)) return signed(value, durationText);
  if (name === 'cost') return signed(value, costText);
  return name === 'error_rate' ? percentText(value) : numberText(value);
}

/** Durations and money are written for amounts; a difference may be below zero. */
const signed = (value: number | null | undefined, text: (value: number | null | undefined) => string): string =>
  typeof value === 'number' && value < 0 ? `−${text(-value)}` : text(value);

/** A difference says which way it goes. */
export const differenceText = (name: string, value: number): string => `${value > 0 ? '+' : ''}${metricText(name, value)}`;
