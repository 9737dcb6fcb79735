import type { LogRecord } from '../record.ts';

/**
 * Metrics added up over the model calls of a trace, unless the trace gives its own: then the calls may overlap, as
 * where one wraps another.
 */
export const SUMMED = ['num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'] as const;

/** Sums over all traces of a session; a number that none of them has is absent. */
export type SessionMetrics = { readonly [Name in 'duration_ns' | (typeof SUMMED)[number]]?: number };

/** `traces` of a session, and the `calls` of models in them. */
export function computeSessionMetrics(traces: readonly LogRecord[], calls: readonly LogRecord[]): SessionMetrics {
  const byTrace = Map.groupBy(calls, ({ trace_id }) => trace_id);
  const ofTrace = (trace: LogRecord, name: string) => computeSum([trace], name) ?? computeSum(byTrace.get(trace.id) ?? [], name);
  return omitMissing({
    duration_ns: computeSum(traces, 'duration_ns'),
    ...Object.fromEntries(SUMMED.map((name) => [name, added(traces.map((trace) => ofTrace(trace, name)))])),
  });
}

/** Without those that there are not. */
export const omitMissing = (metrics: { readonly [Name in keyof SessionMetrics]?: number | null | undefined }): SessionMetrics =>
  Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== null && value !== undefined));

const computeSum = (records: readonly LogRecord[], name: string): number | undefined =>
  added(records.map(({ metrics }) => metrics[name]).filter((value) => typeof value === 'number'));

function added(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}
