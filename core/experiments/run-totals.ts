import { COUNTED, isCounted } from '../record-index/record-metrics.ts';

/** The numbers of one name on the records of one type of a run, added up. */
export interface RunTotal {
  readonly run_id: string;
  readonly name: string;
  readonly type: string;
  readonly sum: number;
  readonly count: number;
}

/** Numbers of whole runs. They follow what is logged and scored at a short distance: see `RecordIndex`. */
export interface RunTotals {
  /** Of several runs, in any order. */
  totals(project_id: string, run_ids: readonly string[]): Promise<RunTotal[]>;
}

/** Whether a metric is measured, not judged: duration, quantity, cost. */
export const isMeasured = (name: string): boolean =>
  isSpent(name) || name.endsWith('_ns') || name === COUNTED.records || name === COUNTED.errors;

/** Whether a metric is summed over the model calls of a trace. */
export const isSpent = (name: string): boolean => name === 'cost' || name.endsWith('_tokens');

/**
 * Averages of a run by metric: `duration_ns` of its traces, other times of its model calls; tokens and `cost` per trace, added up over
 * the model calls in it; `error_rate`, the share of traces whose status is an error; any other metric over all records that have it.
 */
export function computeAverages(totals: readonly RunTotal[]): Record<string, number> {
  const byName = Map.groupBy(totals, ({ name }) => name);
  const of = (name: string, type?: string) => added((byName.get(name) ?? []).filter((one) => (type ?? one.type) === one.type));
  const traces = of(COUNTED.records, 'trace').sum;
  const averages = new Map<string, number>();
  const keep = (name: string, sum: number, count: number) => count > 0 && averages.set(name, sum / count);
  for (const name of byName.keys()) {
    if (isCounted(name)) continue;
    const { sum, count } = of(name, typeMeasured(name));
    if (count > 0) keep(name, sum, isSpent(name) ? traces : count);
  }
  keep('error_rate', of(COUNTED.errors, 'trace').sum, traces);
  return Object.fromEntries(averages);
}

/** The type of the records that a measured number is read from; undefined for what is judged, on records of any type. */
export function typeMeasured(name: string): 'trace' | 'llm' | undefined {
  if (name === 'duration_ns') return 'trace';
  return isMeasured(name) ? 'llm' : undefined;
}

const added = (totals: readonly RunTotal[]) => ({
  sum: totals.reduce((sum, one) => sum + one.sum, 0),
  count: totals.reduce((count, one) => count + one.count, 0),
});
