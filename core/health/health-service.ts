import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import type { StoredVersion } from '../datasets/version.ts';
import { versionNotFound } from '../datasets/version.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { Run } from '../projects/run.ts';
import type { RunOrigin } from '../projects/run-origin.ts';
import type { RunOriginStore } from '../projects/run-origin-store.ts';
import type { Score } from '../scorers/score.ts';
import { DEFAULT_NODE_TYPES, type ScorerRecord, type ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { healthOf } from './health-of.ts';
import type { Health, HealthRequest, HealthScore, HealthScoreQuery } from './health-score.ts';
import type { HealthStore } from './health-store.ts';
import { withOverlay } from './join-rows.ts';
import { rowsOfTraces } from './match-traces.ts';
import { newestPerVersion } from './newest-per-version.ts';
import { type RowScore, type RowScoreDeps, rowScoresOf } from './row-scores.ts';
import { type RunTrace, tracesOf } from './run-traces.ts';
import { TRUTH_COLUMN, type TruthColumns } from './truth-columns.ts';
import { type TruthRowWithTexts, truthRowsOf } from './truth-rows.ts';

export interface HealthDeps extends RowScoreDeps {
  readonly projectStore: Pick<ProjectStore, 'findRun'>;
  readonly runOriginStore: RunOriginStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly truthColumns: TruthColumns;
  readonly traceStore: Pick<TraceStore, 'list'>;
  readonly scorerStore: ScorerStore;
  readonly healthStore: HealthStore;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly pause: () => Promise<void>;
}

interface Subject {
  readonly run: Run;
  readonly origin: RunOrigin | undefined;
  readonly scorer: ScorerRecord;
  /** Undefined when the records of the run do not come from a dataset. */
  readonly version: StoredVersion | undefined;
}

/** How well scorers say what is right, by the rows of datasets that know it. */
export class HealthService {
  readonly #deps: HealthDeps;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /**
   * The health of the scorer in a metrics-testing run or an experiment. A value is kept with the scorer's version, if the run went
   * through a dataset. Rows of a run that did not are its traces, whose ground truth can only come from the overlay.
   */
  async compute(caller: Caller, project_id: string, run_id: string, request: HealthRequest): Promise<Health> {
    await this.#deps.authorizer.demand(caller, 'project', project_id, 'record_human_feedback');
    const subject = await this.#subject(caller, project_id, run_id, request.scorer_id);
    const traces = await tracesOf(this.#deps.traceStore, project_id, run_id);
    const rows = await this.#rows(subject, traces);
    const scores = await this.#scores(subject, traces, rows, request);
    const newest = await this.#newestVersion(scores);
    const values = Map.groupBy(
      scores.filter(({ scorer_version_id }) => scorer_version_id === newest.id),
      ({ row_id }) => row_id,
    );
    const truths = withOverlay(rows, request.mgt_overlay ?? {});
    const said = new Map([...values].map(([row_id, found]) => [row_id, found.map(({ value }) => value)]));
    const health = await healthOf(request.output_type, truths, said, this.#deps.pause);
    await this.#keep(
      subject,
      newest.version,
      health,
      truths.some((row, at) => row !== rows[at]),
    );
    return health;
  }

  /** By version: the first is the baseline, the last the latest. */
  async list(caller: Caller, scorer_id: string, query: HealthScoreQuery): Promise<{ scores: HealthScore[] }> {
    await this.#deps.authorizer.demand(caller, 'dataset', query.dataset_id, 'read');
    await this.#scorer(scorer_id);
    const scores = await this.#deps.healthStore.list(scorer_id, query.dataset_id, query.health_score_type);
    return { scores: newestPerVersion(scores).map(({ scorer_id: _scorer_id, ...score }) => score) };
  }

  async #subject(caller: Caller, project_id: string, run_id: string, scorer_id: string): Promise<Subject> {
    const { projectStore, runOriginStore, authorizer } = this.#deps;
    const run =
      (await projectStore.findRun(project_id, 'metrics_testing', run_id)) ??
      (await projectStore.findRun(project_id, 'experiment', run_id));
    if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no metrics-testing run ${run_id}`);
    const origin = await runOriginStore.find(project_id, run_id);
    const scorer = await this.#scorer(scorer_id);
    if (!origin?.dataset_id) return { run, origin, scorer, version: undefined };
    await authorizer.demand(caller, 'dataset', origin.dataset_id, 'read');
    return { run, origin, scorer, version: await this.#version(origin.dataset_id, origin.dataset_version_index) };
  }

  async #rows({ version, scorer }: Subject, traces: readonly RunTrace[]): Promise<TruthRowWithTexts[]> {
    if (!version) return traces.map(({ id }) => ({ row_id: id, truth: null, input: null, output: null }));
    const { datasetContentStore, truthColumns } = this.#deps;
    const named = new Set(traces.map(({ dataset_input }) => dataset_input));
    const chosen = await truthColumns.find(version.dataset_id, scorer.id);
    const column = version.columns.find(({ key }) => key === chosen) ?? version.columns.find(({ name }) => name === TRUTH_COLUMN);
    return truthRowsOf(datasetContentStore, version, column?.key, (input) => named.has(input));
  }

  async #scores(
    { run, origin, scorer, version }: Subject,
    traces: readonly RunTrace[],
    rows: readonly TruthRowWithTexts[],
    { scoreable_node_types }: HealthRequest,
  ): Promise<RowScore[]> {
    const { project_id, id: run_id } = run;
    const own = version ? rowsOfTraces(traces, rows) : new Map(traces.map(({ id }) => [id, id]));
    const node_types = scoreable_node_types?.length ? scoreable_node_types : await this.#nodeTypes(scorer, origin);
    const isWanted = scoresOfCandidate(run, origin, scorer.id);
    return rowScoresOf(this.#deps, traces, { project_id, run_id, rows: own, node_types, isWanted });
  }

  /** Of the version that was tried out, else of the default one, else of the scorer. */
  async #nodeTypes(scorer: ScorerRecord, origin: RunOrigin | undefined): Promise<readonly string[]> {
    const version_id = origin?.scorer_version_id ?? scorer.default_version_id;
    const version = version_id === null ? undefined : await this.#deps.scorerStore.findVersion(version_id);
    return version?.scoreable_node_types ?? scorer.scoreable_node_types ?? DEFAULT_NODE_TYPES;
  }

  /** A run that was scored again by a newer version is that version's. A candidate may be no version yet. */
  async #newestVersion(scores: readonly RowScore[]): Promise<{ id: string | undefined; version?: ScorerVersionRecord }> {
    const ids = [...new Set(scores.map(({ scorer_version_id }) => scorer_version_id))];
    const versions = await Promise.all(ids.map((id) => this.#deps.scorerStore.findVersion(id)));
    const [version] = versions.filter((one) => one !== undefined).sort((a, b) => b.version - a.version);
    if (version) return { id: version.id, version };
    const latest = scores.reduce<RowScore | undefined>(
      (last, one) => (last && last.scored_at >= one.scored_at ? last : one),
      undefined,
    );
    return { id: latest?.scorer_version_id };
  }

  async #keep(
    { run, origin, scorer, version }: Subject,
    scored: ScorerVersionRecord | undefined,
    { health_score_type, value, secondary }: Health,
    with_overlay: boolean,
  ): Promise<void> {
    if (!version || scored?.scorer_id !== scorer.id || health_score_type === null || value === null) return;
    await this.#deps.healthStore.put({
      id: this.#deps.newId(),
      scorer_id: scorer.id,
      scorer_version_id: scored.id,
      scorer_version_number: scored.version,
      dataset_id: version.dataset_id,
      dataset_version_index: origin?.dataset_version_index ?? version.version_index,
      health_score_type,
      with_overlay,
      score: value,
      secondary,
      run_id: run.id,
      computed_at: this.#deps.clock().toISOString(),
    });
  }

  async #scorer(id: string): Promise<ScorerRecord> {
    const scorer = await this.#deps.scorerStore.find(id);
    if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${id} does not exist`);
    return scorer;
  }

  async #version(dataset_id: string, version_index: number | null): Promise<StoredVersion> {
    const version = await this.#deps.datasetContentStore.findVersion(dataset_id, version_index ?? undefined);
    if (version) return version;
    throw version_index === null ? datasetNotFound(dataset_id) : versionNotFound(version_index);
  }
}

/** Which scores of a run are those of the scorer in question; see `RunOrigin`. */
function scoresOfCandidate({ kind }: Run, origin: RunOrigin | undefined, scorer_id: string): (score: Score) => boolean {
  const isNobodys = kind === 'metrics_testing' && origin !== undefined && origin.scorer_id === null;
  if (!isNobodys && origin?.scorer_id !== scorer_id) return (score) => score.scorer_id === scorer_id;
  const { scorer_version_id } = origin!;
  if (scorer_version_id !== null) return (score) => score.scorer_version_id === scorer_version_id;
  return (score) => isNobodys || score.scorer_id === scorer_id;
}
