import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { Score } from '../../../core/scores/score.ts';
import { findColumn, type Judged } from '../../../core/traces/columns/column.ts';
import { percentile } from '../../../core/traces/columns/system-metric.ts';
import { valueText } from '../../../core/traces/read/value-text.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST } from '../../../core/traces/record-query.ts';
import type { BucketNumbers, MetricNumbers, MetricsQuery, RunMetrics } from '../../../core/trends/run-metrics.ts';
import type { MemoryCommentStore } from '../comments/memory-comment-store.ts';
import type { MemoryRatingStore } from '../ratings/memory-rating-store.ts';
import type { MemoryScoreStore } from '../scorers/memory-score-store.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

const ADDED_UP = ['num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'];

interface MemoryRunMetricsDeps {
  readonly traceStore: MemoryTraceStore;
  readonly scoreStore: MemoryScoreStore;
  readonly ratingStore: MemoryRatingStore;
  readonly commentStore: MemoryCommentStore;
}

export class MemoryRunMetrics implements RunMetrics {
  readonly #traceStore: MemoryTraceStore;
  readonly #scoreStore: MemoryScoreStore;
  readonly #ratingStore: MemoryRatingStore;
  readonly #commentStore: MemoryCommentStore;

  constructor(deps: MemoryRunMetricsDeps) {
    this.#traceStore = deps.traceStore;
    this.#ratingStore = deps.ratingStore;
    this.#commentStore = deps.commentStore;
    this.#scoreStore = deps.scoreStore;
  }

  async measure(query: MetricsQuery): Promise<{ total: MetricNumbers; buckets: BucketNumbers[] }> {
    const { selection, from, to, interval_minutes } = query;
    const page = { sort: NEWEST_FIRST, starting_token: 0, limit: Number.MAX_SAFE_INTEGER - 1, after: undefined };
    const all = await this.#traceStore.list({ ...selection, ...page });
    const [first, end] = [sortableTime(from), sortableTime(to)];
    const traces = all.filter(({ created_at }) => sortableTime(created_at) >= first && sortableTime(created_at) < end);
    const computeBucket = ({ created_at }: LogRecord): number =>
      Math.floor((Date.parse(created_at) - Date.parse(from)) / (interval_minutes * 60_000));
    const toGroup = (trace: LogRecord): string | null => this.#toGroup(trace, query.group_by);
    const groups = [...Map.groupBy(traces, (trace) => JSON.stringify([toGroup(trace), computeBucket(trace)])).values()];
    const buckets = groups.slice(0, query.max_rows + 1).map(async (own) => {
      return { group: toGroup(own[0]!), bucket: computeBucket(own[0]!), numbers: await this.#toNumbers(own) };
    });
    return { total: await this.#toNumbers(traces), buckets: await Promise.all(buckets) };
  }

  #toGroup(trace: LogRecord, group_by: string | undefined): string | null {
    const column = group_by === undefined ? undefined : findColumn(group_by);
    return column ? valueText(column.value(trace, this.#judged(trace))) : null;
  }

  #judged(trace: LogRecord): Judged {
    const { project_id, run_id, id: record_id } = trace;
    const key = { project_id, run_id, record_id };
    return {
      score: (metric_name) => this.#scoreStore.newest(trace, metric_name)?.value ?? null,
      agreement: (metric_name) => this.#scoreStore.newest(trace, metric_name)?.effort?.agreement ?? null,
      rating: (column) => this.#ratingStore.valueIn(key, column),
      comments: () => this.#commentStore.countOf(key),
    };
  }

  async #toNumbers(traces: readonly LogRecord[]): Promise<MetricNumbers> {
    const [first] = traces;
    if (!first) return { requests: 0, errors: 0 };
    const { project_id, run_id } = first;
    const ids = new Set(traces.map(({ id }) => id));
    const within = this.#traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => ids.has(trace_id));
    const scores = await this.#scoreStore.list(
      project_id,
      run_id,
      within.map(({ id }) => id),
    );
    return {
      requests: traces.length,
      errors: traces.filter(({ status_code }) => (status_code ?? 0) >= 400).length,
      ...computeDurations(traces),
      ...computeSums(within.filter(({ type }) => type === 'llm')),
      ...computeAverages(scores),
    };
  }
}

function computeDurations(traces: readonly LogRecord[]): Record<string, number> {
  const durations = numbersIn(traces, 'duration_ns').sort((a, b) => a - b);
  if (durations.length === 0) return {};
  const average_duration_ns = computeAverage(durations);
  return { average_duration_ns, p50_duration_ns: percentile(durations, 0.5), p95_duration_ns: percentile(durations, 0.95) };
}

function computeSums(calls: readonly LogRecord[]): Record<string, number> {
  const sums = ADDED_UP.map((name) => [name, numbersIn(calls, name)] as const).filter(([, values]) => values.length > 0);
  return Object.fromEntries(sums.map(([name, values]) => [name, values.reduce((sum, value) => sum + value, 0)]));
}

function computeAverages(scores: readonly Score[]): Record<string, number> {
  const results = scores.filter(({ status_type, value }) => status_type === 'success' && /^(number|boolean)$/.test(typeof value));
  const byMetric = Map.groupBy(results, ({ metric_name }) => metric_name);
  return Object.fromEntries(
    [...byMetric].map(([name, own]) => [`metrics/${name}`, computeAverage(own.map(({ value }) => Number(value)))]),
  );
}

const numbersIn = (records: readonly LogRecord[], name: string): number[] =>
  records.map(({ metrics }) => metrics[name]).filter((value) => typeof value === 'number');

const computeAverage = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
