import { COUNTED } from '../trends/record-numbers.ts';

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

const OF_TRACES = ['duration_ns'];
const OF_MODEL_CALLS = ['num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'];

/** What is measured, not judged: how long, how much, how dear. */
export const isMeasured = (name: string): boolean =>
  name === 'cost' || name === COUNTED.records || name === COUNTED.errors || /_(ns|tokens)$/.test(name);

/**
 * Averages of a run by metric: `duration_ns` of its traces; tokens and `cost` per trace, added up over the model calls in it;
 * `error_rate`, the share of traces whose status is an error; every other metric over all records that have it.
 */
export function averagesOf(totals: readonly RunTotal[]): Record<string, number> {
  const of = (name: string, type?: string) => added(totals.filter((one) => one.name === name && (type ?? one.type) === one.type));
  const traces = of(COUNTED.records, 'trace').sum;
  const averages = new Map<string, number>();
  const keep = (name: string, sum: number, count: number) => count > 0 && averages.set(name, sum / count);
  for (const name of new Set(totals.map((one) => one.name).filter((one) => !isMeasured(one)))) {
    const { sum, count } = of(name);
    keep(name, sum, count);
  }
  for (const name of OF_TRACES) keep(name, of(name, 'trace').sum, of(name, 'trace').count);
  for (const name of OF_MODEL_CALLS) if (of(name, 'llm').count > 0) keep(name, of(name, 'llm').sum, traces);
  keep('error_rate', of(COUNTED.errors, 'trace').sum, traces);
  return Object.fromEntries(averages);
}

const added = (totals: readonly RunTotal[]) => ({
  sum: totals.reduce((sum, one) => sum + one.sum, 0),
  count: totals.reduce((count, one) => count + one.count, 0),
});
