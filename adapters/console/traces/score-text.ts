import { clipped, numberText, valueText } from '../kit/formatting.ts';

/** One entry of `metric_info`. */
export type Metric = Readonly<Record<string, unknown>>;
export type MetricInfo = Readonly<Record<string, Metric>>;

/** What a score says in a word or two; a roll-up by its average, else by the first thing it knows. */
export function scoreText(metric: Metric): string {
  const { status_type, value, roll_up_metrics } = metric;
  if (status_type === 'success') return shownValue(value);
  if (status_type !== 'roll_up') return String(status_type).replaceAll('_', ' ');
  const known = Object.entries((roll_up_metrics ?? {}) as Readonly<Record<string, unknown>>);
  const [name = '', first] = known.find(([key]) => key === 'average') ?? known[0] ?? [];
  if (name === 'category_count') return countsText(first as Readonly<Record<string, number>>);
  return `${name === 'average' ? 'avg' : name.replaceAll('_', ' ')} ${shownValue(first)}`;
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  clipped(
    Object.entries(counts)
      .map(([category, count]) => `${category} × ${count}`)
      .join(', '),
    40,
  );

const shownValue = (value: unknown): string => (typeof value === 'number' ? numberText(value) : clipped(valueText(value), 40));

const UNTOLD = new Set<unknown>(['not_computed', 'not_applicable']);
/** What was said of the record itself, not of what stands below it. */
export const ownScores = (info: MetricInfo): MetricInfo =>
  Object.fromEntries(Object.entries(info).filter(([, { status_type }]) => status_type !== 'roll_up'));

/** What says something: not what was not computed, or does not apply. */
export const toldOf = (info: MetricInfo): [string, Metric][] =>
  Object.entries(info).filter(([, { status_type }]) => !UNTOLD.has(status_type));
