import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { type RecordSelection, toRecordCondition } from '../traces/record-query.ts';
import { bucketed, countIntervals, getGroupColumn, MAX_ROWS, type MetricsSearch, tooMany } from './metrics-search.ts';
import type { RunMetrics } from './run-metrics.ts';

export interface MetricsSearchDeps {
  readonly runMetrics: RunMetrics;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
}

/** Numbers of a run over time. */
export class MetricsSearchService {
  readonly #deps: MetricsSearchDeps;

  constructor(deps: MetricsSearchDeps) {
    this.#deps = deps;
  }

  async search(caller: Caller, project_id: string, body: MetricsSearch) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const count = countIntervals(body);
    const group_by = getGroupColumn(body);
    const selection: RecordSelection = { project_id, run_id, level: 'trace', where: toRecordCondition(body) };
    const { start_time: from, end_time: to, interval: interval_minutes } = body;
    const query = { selection, from, to, interval_minutes, group_by, max_rows: MAX_ROWS };
    const { total, buckets } = await this.#deps.runMetrics.measure(query);
    if (buckets.length > MAX_ROWS) throw tooMany(`more than ${MAX_ROWS} buckets hold traces`);
    return {
      group_by_columns: group_by === undefined ? [] : [group_by],
      aggregate_metrics: total,
      bucketed_metrics: bucketed(body, count, buckets),
    };
  }
}
