import type { RowTrace, RunScores, ScoreTally, TraceNumber } from '../../../core/experiments/run-scores.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { ROW_ID_KEY } from '../../../core/projects/run-origin.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST, type RecordSelection } from '../../../core/traces/record-query.ts';
import type { ScoredRecords } from '../scorers/scored-records.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';
import { oldestFirst } from '../traces/time-order.ts';

export interface MemoryRunScoresDeps extends ScoredRecords {
  readonly traceStore: Pick<MemoryTraceStore, 'list' | 'toRecords'>;
}

export class MemoryRunScores implements RunScores {
  readonly #deps: MemoryRunScoresDeps;

  constructor(deps: MemoryRunScoresDeps) {
    this.#deps = deps;
  }

  async tallies(selection: RecordSelection, limit: number): Promise<ScoreTally[]> {
    const page = { sort: NEWEST_FIRST, starting_token: 0, limit: Number.MAX_SAFE_INTEGER - 1, after: undefined };
    const traces = new Set((await this.#deps.traceStore.list({ ...selection, ...page })).map(({ id }) => id));
    const within = this.#records(selection).filter(({ trace_id }) => traces.has(trace_id));
    const groups = Map.groupBy(await this.#results(selection, within), ({ metric_name, value }) =>
      JSON.stringify([metric_name, value]),
    );
    return [...groups.values()]
      .map((group) => ({ metric_name: group[0]!.metric_name, value: group[0]!.value, count: group.length }))
      .sort((a, b) => b.count - a.count)
      .slice(0, limit);
  }

  async traces(project_id: string, run_id: string, limit: number): Promise<RowTrace[]> {
    const traces = this.#records({ project_id, run_id }).filter(({ type }) => type === 'trace');
    return oldestFirst(traces)
      .slice(0, limit + 1)
      .map(({ id, dataset_input, dataset_metadata }) => {
        const row_id = dataset_metadata[ROW_ID_KEY];
        return { trace_id: id, row_id: typeof row_id === 'string' ? row_id.toLowerCase() : null, dataset_input };
      });
  }

  async numbers(project_id: string, run_id: string): Promise<TraceNumber[]> {
    const records = this.#records({ project_id, run_id });
    const byId = new Map(records.map((record) => [record.id, record]));
    const results = (await this.#results({ project_id, run_id }, records)).flatMap(({ record_id, metric_name, value }) =>
      parseNumber(byId.get(record_id)!, metric_name, value, true),
    );
    const brought = records.flatMap((record) =>
      Object.entries(record.metrics).flatMap(([name, value]) => parseNumber(record, name, value, false)),
    );
    const groups = Map.groupBy([...results, ...brought], ({ trace_id, name, type, is_score }) =>
      JSON.stringify([trace_id, name, type, is_score]),
    );
    return [...groups.values()].map((group) => ({
      ...group[0]!,
      is_yes_no: group.every(({ is_yes_no }) => is_yes_no),
      sum: group.reduce((total, { sum }) => total + sum, 0),
      count: group.length,
    }));
  }

  #records({ project_id, run_id }: { readonly project_id: string; readonly run_id: string }): readonly LogRecord[] {
    return this.#deps.traceStore.toRecords(project_id, run_id);
  }

  async #results(run: Pick<RecordSelection, 'project_id' | 'run_id'>, records: readonly LogRecord[]): Promise<Score[]> {
    const ids = records.map(({ id }) => id);
    const scores = await this.#deps.scoreStore.list(run.project_id, run.run_id, ids);
    const newest = new Map(scores.map((score) => [JSON.stringify([score.record_id, score.metric_name]), score]));
    return [...newest.values()].filter(({ status_type }) => status_type === 'success');
  }
}

function parseNumber(record: LogRecord, name: string, value: JsonValue, is_score: boolean): TraceNumber[] {
  if (typeof value !== 'number' && typeof value !== 'boolean') return [];
  const { trace_id, type } = record;
  return [{ trace_id, name, type, is_score, is_yes_no: typeof value === 'boolean', sum: Number(value), count: 1 }];
}
