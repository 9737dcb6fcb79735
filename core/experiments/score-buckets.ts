import { z } from 'zod';
import type { JsonValue } from '../kernel/json.ts';
import { withDefault } from '../kernel/optional.ts';
import { RecordFilter } from '../traces/record-query.ts';
import type { ScoreTally } from './run-scores.ts';

export const ExperimentMetricsRequest = z
  .object({ filters: withDefault(z.array(RecordFilter).max(1000), []) })
  .meta({ id: 'ExperimentMetricsRequest' });
export type ExperimentMetricsRequest = z.output<typeof ExperimentMetricsRequest>;

/** How the results of one metric are spread. */
export const MetricBuckets = z
  .object({
    name: z.string(),
    /** How often each value was given: labels, `true` and `false`, whole numbers, or ten ranges `from..to`. */
    buckets: z.record(z.string(), z.int()),
    /** Of numbers, yes being 1 and no 0; null where there are none. */
    average: z.number().nullable(),
  })
  .meta({ id: 'MetricBuckets' });
export type MetricBuckets = z.output<typeof MetricBuckets>;

const RANGES = 10;
const MAX_WHOLE_NUMBERS = 20;
const MAX_LABELS = 100;

/** By name. The values that were given most often come first. */
export function toMetricBuckets(tallies: readonly ScoreTally[]): MetricBuckets[] {
  const byName = [...Map.groupBy(tallies, ({ metric_name }) => metric_name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, own]) => {
    const numbers = own.flatMap(({ value, count }) => (isNumber(value) ? [{ value: Number(value), count }] : []));
    const total = numbers.reduce((sum, { count }) => sum + count, 0);
    const average = total > 0 ? numbers.reduce((sum, { value, count }) => sum + value * count, 0) / total : null;
    return { name, buckets: Object.fromEntries([...computeRanges(own), ...toLabels(own)]), average };
  });
}

const isNumber = (value: JsonValue): value is number | boolean => typeof value === 'number' || typeof value === 'boolean';

/** Answers that are no numbers, each under its text; of a list each entry counts. */
function toLabels(tallies: readonly ScoreTally[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { value, count } of tallies) {
    if (typeof value === 'number') continue;
    for (const label of toTexts(value)) counts.set(label, (counts.get(label) ?? 0) + count);
  }
  return [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)).slice(0, MAX_LABELS);
}

function toTexts(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(toTexts);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([label, holds]) => (holds === true ? [label] : []));
}

function computeRanges(tallies: readonly ScoreTally[]): [string, number][] {
  const numbers = tallies.flatMap(({ value, count }) => (typeof value === 'number' ? [{ value, count }] : []));
  const values = [...new Set(numbers.map(({ value }) => value))].sort((a, b) => a - b);
  if (values.length <= MAX_WHOLE_NUMBERS && values.every(Number.isInteger))
    return values.map((value) => [String(value), computeCount(numbers, (one) => one === value)]);
  const [low, high] = [values[0]!, values.at(-1)!];
  if (low === high) return [[String(low), computeCount(numbers, () => true)]];
  const edges = Array.from({ length: RANGES + 1 }, (_, at) => (at === RANGES ? high : low + ((high - low) * at) / RANGES));
  return Array.from({ length: RANGES }, (_, at): [string, number] => {
    const isIn = (value: number) => value >= edges[at]! && (value < edges[at + 1]! || at === RANGES - 1);
    return [`${shortened(edges[at]!)}..${shortened(edges[at + 1]!)}`, computeCount(numbers, isIn)];
  });
}

const shortened = (edge: number): string => String(Number(edge.toPrecision(6)));

const computeCount = (numbers: readonly { value: number; count: number }[], isIn: (value: number) => boolean): number =>
  numbers.reduce((sum, { value, count }) => sum + (isIn(value) ? count : 0), 0);
