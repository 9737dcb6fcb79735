import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { sliceFor, toPage } from '../../kernel/query/page.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import type { Run } from '../../projects/run.ts';
import { payloadText } from '../../traces/columns/column.ts';
import type { LogRecord } from '../../traces/record.ts';
import { NEWEST_FIRST } from '../../traces/record-query.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { experimentNotFound } from '../experiment.ts';
import type { RunScores } from '../run-scores.ts';
import { isMeasured } from '../run-totals.ts';
import type { ChangedRow, Comparison, ComparisonRequest } from './comparison.ts';
import { type PairedMetric, pairedMetrics } from './paired-metric.ts';
import { pairRows, type RowPair, type RowSide, toRowSides } from './row-pairs.ts';

export interface ComparisonDeps {
  readonly projectStore: ProjectStore;
  readonly runScores: RunScores;
  readonly traceStore: TraceStore;
  readonly authorizer: Authorizer;
}

/** Of one experiment: both are held in memory, without what was said in them. */
const MAX_TRACES = 100_000;
const FIELDS: ReadonlySet<keyof LogRecord> = new Set(['id', 'output']);

interface Change {
  readonly pair: RowPair;
  readonly difference: number;
}

/** Compares two experiments row by row. */
export class ComparisonService {
  readonly #deps: ComparisonDeps;

  constructor(deps: ComparisonDeps) {
    this.#deps = deps;
  }

  async compare(caller: Caller, project_id: string, request: ComparisonRequest): Promise<Comparison> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const [before, after] = [await this.#run(project_id, request.baseline_id), await this.#run(project_id, request.candidate_id)];
    const [baseline, candidate] = [await this.#rows(before), await this.#rows(after)];
    const { pairs, by_row_id, by_input, only_in_baseline, only_in_candidate } = pairRows(baseline, candidate);
    const { confidence, lower_is_better } = request;
    const metrics = pairedMetrics(pairs, { confidence, lower_is_better: new Set(lower_is_better) });
    const metric = metricFor(request, metrics);
    const changes = metric === null ? [] : toChanges(pairs, metric);
    const { offset, limit } = sliceFor(request);
    const { items, page } = toPage(changes.slice(offset, offset + limit), request);
    return {
      ...page,
      baseline: { id: before.id, name: before.name, rows: baseline.length },
      candidate: { id: after.id, name: after.name, rows: candidate.length },
      joined_rows: pairs.length,
      joined_by_row_id: by_row_id,
      joined_by_input: by_input,
      only_in_baseline,
      only_in_candidate,
      metrics,
      metric,
      changes: await this.#shown(before, after, metric ?? '', items),
    };
  }

  async #run(project_id: string, id: string): Promise<Run> {
    const run = await this.#deps.projectStore.findRun(project_id, 'experiment', id);
    if (!run) throw experimentNotFound(id);
    return run;
  }

  async #rows({ project_id, id }: Run): Promise<RowSide[]> {
    const traces = await this.#deps.runScores.traces(project_id, id, MAX_TRACES);
    if (traces.length > MAX_TRACES)
      throw new AppError(
        'bad_request',
        'comparison_too_large',
        `an experiment of more than ${MAX_TRACES} traces cannot be compared`,
      );
    return toRowSides(traces, await this.#deps.runScores.numbers(project_id, id));
  }

  async #shown(before: Run, after: Run, metric: string, changes: readonly Change[]): Promise<ChangedRow[]> {
    const outputs = await Promise.all([
      this.#outputs(
        before,
        changes.map(({ pair }) => pair.baseline.trace_id),
      ),
      this.#outputs(
        after,
        changes.map(({ pair }) => pair.candidate.trace_id),
      ),
    ]);
    const toSide = ({ trace_id, metrics }: RowSide, at: 0 | 1) => {
      return { trace_id, value: metrics.get(metric)!.value, output: outputs[at].get(trace_id) ?? null };
    };
    return changes.map(({ pair: { baseline, candidate }, difference }) => ({
      row_id: baseline.row_id ?? candidate.row_id,
      dataset_input: baseline.dataset_input ?? candidate.dataset_input,
      baseline: toSide(baseline, 0),
      candidate: toSide(candidate, 1),
      difference,
    }));
  }

  async #outputs({ project_id, id: run_id }: Run, trace_ids: string[]): Promise<ReadonlyMap<string, string | null>> {
    if (trace_ids.length === 0) return new Map();
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value: trace_ids } } as const;
    const page = { sort: NEWEST_FIRST, starting_token: 0, limit: trace_ids.length, after: undefined, fields: FIELDS };
    const traces = await this.#deps.traceStore.list({ project_id, run_id, level: 'trace', where, ...page });
    return new Map(traces.map(({ id, output }) => [id, payloadText(output)]));
  }
}

function metricFor({ metric }: ComparisonRequest, metrics: readonly PairedMetric[]): string | null {
  if (!metric) return (metrics.find(({ name }) => !isMeasured(name)) ?? metrics[0])?.name ?? null;
  if (metrics.some(({ name }) => name === metric)) return metric;
  const msg = 'no row has this metric in both experiments';
  throw new AppError('invalid', 'metric_not_shared', msg, {
    issues: [{ loc: ['body', 'metric'], msg, type: 'metric_not_shared', input: metric }],
  });
}

/** The most changed first, equal changes in the order of the rows. */
function toChanges(pairs: readonly RowPair[], metric: string): Change[] {
  const changes = pairs.flatMap((pair): Change[] => {
    const [before, after] = [pair.baseline.metrics.get(metric), pair.candidate.metrics.get(metric)];
    return before && after && before.value !== after.value ? [{ pair, difference: after.value - before.value }] : [];
  });
  return changes.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}
