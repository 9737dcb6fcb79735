import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { type StoredVersion, versionNotFound } from '../datasets/version.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { RunOriginStore } from '../projects/run-origin-store.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { ValidationStore } from '../scorers/validation/validation-store.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { type Candidate, type CandidateDeps, candidateScores } from './candidate-scores.ts';
import { getHealth } from './health-of.ts';
import type { Health, HealthRequest, HealthScore, HealthScoreQuery } from './health-score.ts';
import { withOverlay } from './join-rows.ts';
import type { KeptHealth } from './kept-health.ts';
import { rowsOfTraces } from './match-traces.ts';
import { getTraces, type RunTrace } from './run-traces.ts';
import { TRUTH_COLUMN, type TruthColumns } from './truth-columns.ts';
import { type TruthRowWithTexts, toTruthRows } from './truth-rows.ts';

export interface HealthDeps extends CandidateDeps {
  readonly projectStore: Pick<ProjectStore, 'findRun'>;
  readonly runOriginStore: RunOriginStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly truthColumns: TruthColumns;
  readonly traceStore: Pick<TraceStore, 'list'>;
  readonly scorerStore: ScorerStore;
  readonly keptHealth: KeptHealth;
  readonly validationStore: Pick<ValidationStore, 'find'>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly pause: () => Promise<void>;
}

interface Subject extends Candidate {
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
   * through a dataset and no overlay took part: that asks what would be. Rows of a run without a dataset are its traces, whose
   * ground truth can only come from the overlay.
   */
  async compute(caller: Caller, project_id: string, run_id: string, request: HealthRequest): Promise<Health> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const subject = await this.#subject(caller, project_id, run_id, request.scorer_id);
    const traces = await getTraces(this.#deps.traceStore, project_id, run_id);
    const rows = await this.#rows(subject, traces);
    const ofTraces = subject.version ? rowsOfTraces(traces, rows) : new Map(traces.map(({ id }) => [id, id]));
    const node_types = request.scoreable_node_types ?? [];
    const { version, values } = await candidateScores(this.#deps, subject, traces, ofTraces, node_types);
    const truths = withOverlay(rows, request.mgt_overlay ?? {});
    const health = await getHealth(request.output_type, truths, values, this.#deps.pause);
    const isOverlaid = truths.some(({ truth }, at) => truth !== rows[at]!.truth);
    if (!isOverlaid) await this.#keep(subject, version, health);
    return health;
  }

  /** By version: the first is the baseline, the last the latest. */
  async list(caller: Caller, scorer_id: string, query: HealthScoreQuery): Promise<{ scores: HealthScore[] }> {
    await this.#deps.authorizer.authorize(caller, 'dataset', query.dataset_id, 'read');
    await this.#scorer(scorer_id);
    const scores = await this.#deps.keptHealth.list(scorer_id, query.dataset_id, query.health_score_type);
    return { scores: scores.map(({ scorer_id: _scorer_id, ...score }) => score) };
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
    await authorizer.authorize(caller, 'dataset', origin.dataset_id, 'read');
    return { run, origin, scorer, version: await this.#version(origin.dataset_id, origin.dataset_version_index) };
  }

  async #rows({ version, scorer }: Subject, traces: readonly RunTrace[]): Promise<TruthRowWithTexts[]> {
    if (!version) return traces.map(({ id }) => ({ row_id: id, truth: null, input: null, output: null }));
    const { datasetContentStore, truthColumns } = this.#deps;
    const named = new Set(traces.map(({ dataset_input }) => dataset_input));
    const chosen = await truthColumns.find(version.dataset_id, scorer.id);
    const column = version.columns.find(({ key }) => key === chosen) ?? version.columns.find(({ name }) => name === TRUTH_COLUMN);
    return toTruthRows(datasetContentStore, version, column?.key, (input) => named.has(input));
  }

  async #keep(
    { run, origin, scorer, version }: Subject,
    scored: ScorerVersionRecord | undefined,
    { health_score_type, value, secondary, interval, baseline, confusion_table }: Health,
  ): Promise<void> {
    if (!version || health_score_type === null || value === null) return;
    const measured = {
      id: this.#deps.newId(),
      scorer_id: scorer.id,
      dataset_id: version.dataset_id,
      dataset_version_index: origin?.dataset_version_index ?? version.version_index,
      health_score_type,
      score: value,
      secondary,
      interval,
      baseline,
      confusion_table,
      run_id: run.id,
      computed_at: this.#deps.clock().toISOString(),
    };
    if (scored?.scorer_id === scorer.id) return this.#deps.keptHealth.keep(measured, scored);
    const candidate_id = origin?.scorer_version_id ?? null;
    const candidate = scored || candidate_id === null ? undefined : await this.#deps.validationStore.find(candidate_id);
    if (candidate) await this.#deps.keptHealth.keepForCandidate(measured, candidate);
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
