import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { NEWEST_RUNS_FIRST } from '../projects/run.ts';
import { toRecordCondition } from '../traces/record-query.ts';
import { experimentNotFound } from './experiment.ts';
import { type ExperimentColumn, toColumns } from './experiment-columns.ts';
import type { RunScores, ScoreTally } from './run-scores.ts';
import type { RunTagStore } from './run-tag-store.ts';
import { computeAverages, type RunTotals } from './run-totals.ts';
import { type ExperimentMetricsRequest, type MetricBuckets, toMetricBuckets } from './score-buckets.ts';

export interface ExperimentMetricsDeps {
  readonly projectStore: ProjectStore;
  readonly runScores: RunScores;
  readonly runTotals: RunTotals;
  readonly runTagStore: RunTagStore;
  readonly authorizer: Authorizer;
}

/** Different values of all metrics of an experiment together; a text that is written freely has one for each record. */
const MAX_TALLIES = 10_000;

/** How results of experiments are spread, and what can be shown of them. */
export class ExperimentMetricsService {
  readonly #deps: ExperimentMetricsDeps;

  constructor(deps: ExperimentMetricsDeps) {
    this.#deps = deps;
  }

  /** Of the traces that pass the filters, and of all records in them. */
  async ofExperiment(
    caller: Caller,
    project_id: string,
    id: string,
    request: ExperimentMetricsRequest,
  ): Promise<{ metrics: MetricBuckets[] }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    if (!(await this.#deps.projectStore.findRun(project_id, 'experiment', id))) throw experimentNotFound(id);
    return { metrics: toMetricBuckets(await this.#tallies(project_id, id, request)) };
  }

  /** Of all experiments of the project together. */
  async ofProject(caller: Caller, project_id: string, request: ExperimentMetricsRequest): Promise<{ metrics: MetricBuckets[] }> {
    const tallies: ScoreTally[] = [];
    for (const id of await this.#runIds(caller, project_id)) tallies.push(...(await this.#tallies(project_id, id, request)));
    return { metrics: toMetricBuckets(tallies) };
  }

  async columns(caller: Caller, project_id: string): Promise<{ columns: ExperimentColumn[] }> {
    const ids = await this.#runIds(caller, project_id);
    const [totals, tags] = await Promise.all([
      this.#deps.runTotals.totals(project_id, ids),
      this.#deps.runTagStore.list(project_id, ids),
    ]);
    const names = Object.keys(computeAverages(totals)).sort();
    return { columns: toColumns(names, [...new Set(tags.map(({ key }) => key))].sort()) };
  }

  async #runIds(caller: Caller, project_id: string): Promise<string[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const runs = await this.#deps.projectStore.listRuns(project_id, 'experiment', [], NEWEST_RUNS_FIRST);
    return runs.map(({ id }) => id);
  }

  #tallies(project_id: string, run_id: string, { filters }: ExperimentMetricsRequest): Promise<ScoreTally[]> {
    const where = toRecordCondition({ filters, filter_tree: null });
    return this.#deps.runScores.tallies({ project_id, run_id, level: 'trace', where }, MAX_TALLIES);
  }
}
