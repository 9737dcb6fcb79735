import type { RowTrace, TraceNumber } from '../run-scores.ts';
import { isSpent, typeMeasured } from '../run-totals.ts';

export interface MetricValue {
  readonly value: number;
  /** One answer of yes or no: 1 or 0, and no average. */
  readonly is_yes_no: boolean;
}

/** One row of a dataset as a run went through it, once or more often. */
export interface RowSide {
  readonly row_id: string | null;
  readonly dataset_input: string | null;
  /** The first of its traces. */
  readonly trace_id: string;
  readonly metrics: ReadonlyMap<string, MetricValue>;
}

export interface RowPair {
  readonly baseline: RowSide;
  readonly candidate: RowSide;
}

export interface Pairing {
  readonly pairs: readonly RowPair[];
  readonly by_row_id: number;
  readonly by_input: number;
  readonly only_in_baseline: number;
  readonly only_in_candidate: number;
}

/**
 * The rows of a run in the order of their first traces; traces of one row are taken together, each metric by its mean. Of a
 * trace: `duration_ns` is its own, tokens and `cost` those of its model calls added up, other times the mean over these, any other
 * metric the mean over its records. Where a scorer gave a metric, what came with records under its name is left out.
 */
export function toRowSides(traces: readonly RowTrace[], numbers: readonly TraceNumber[]): RowSide[] {
  const byTrace = Map.groupBy(numbers, ({ trace_id }) => trace_id);
  const rows = Map.groupBy(traces, ({ row_id, trace_id }) => row_id ?? `trace ${trace_id}`);
  return [...rows.values()].map((own) => {
    const { row_id, dataset_input, trace_id } = own[0]!;
    const metrics = own.map((trace) => toMetrics(byTrace.get(trace.trace_id) ?? []));
    return { row_id, dataset_input, trace_id, metrics: metrics.length === 1 ? metrics[0]! : computeMeans(metrics) };
  });
}

function toMetrics(numbers: readonly TraceNumber[]): Map<string, MetricValue> {
  const metrics = new Map<string, MetricValue>();
  for (const [name, own] of Map.groupBy(numbers, (one) => one.name)) {
    const counted = toCounted(name, own);
    const sum = counted.reduce((total, one) => total + one.sum, 0);
    const count = counted.reduce((total, one) => total + one.count, 0);
    if (count === 0) continue;
    metrics.set(name, { value: isSpent(name) ? sum : sum / count, is_yes_no: count === 1 && counted[0]!.is_yes_no });
  }
  return metrics;
}

function toCounted(name: string, numbers: readonly TraceNumber[]): readonly TraceNumber[] {
  const measured = typeMeasured(name);
  if (measured) return numbers.filter(({ type, is_score }) => type === measured && !is_score);
  return numbers.some(({ is_score }) => is_score) ? numbers.filter(({ is_score }) => is_score) : numbers;
}

function computeMeans(tries: readonly ReadonlyMap<string, MetricValue>[]): Map<string, MetricValue> {
  const names = new Set(tries.flatMap((metrics) => [...metrics.keys()]));
  return new Map(
    [...names].map((name) => {
      const values = tries.flatMap((metrics) => metrics.get(name) ?? []);
      const value = values.reduce((sum, one) => sum + one.value, 0) / values.length;
      return [name, { value, is_yes_no: values.length === 1 && values[0]!.is_yes_no }];
    }),
  );
}

/** Rows with the same id; of the others those with the same input, in their order. */
export function pairRows(baseline: readonly RowSide[], candidate: readonly RowSide[]): Pairing {
  const byId = joined(baseline, candidate, ({ row_id }) => row_id);
  const byInput = joined(byId.left, byId.right, ({ dataset_input }) => dataset_input);
  return {
    pairs: [...byId.pairs, ...byInput.pairs],
    by_row_id: byId.pairs.length,
    by_input: byInput.pairs.length,
    only_in_baseline: byInput.left.length,
    only_in_candidate: byInput.right.length,
  };
}

function joined(left: readonly RowSide[], right: readonly RowSide[], getKey: (row: RowSide) => string | null) {
  const keyed = Map.groupBy(
    right.filter((row) => getKey(row) !== null),
    getKey,
  );
  const waiting = new Map([...keyed].map(([key, rows]) => [key, rows.values()]));
  const pairs: RowPair[] = [];
  const alone: RowSide[] = [];
  const taken = new Set<RowSide>();
  for (const row of left) {
    const key = getKey(row);
    const partner = key === null ? undefined : waiting.get(key)?.next().value;
    if (!partner) alone.push(row);
    else {
      taken.add(partner);
      pairs.push({ baseline: row, candidate: partner });
    }
  }
  return { pairs, left: alone, right: right.filter((row) => !taken.has(row)) };
}
