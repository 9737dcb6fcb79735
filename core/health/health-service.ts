import type { Caller } from '../access/caller.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ValidationStore } from '../scorers/validation/validation-store.ts';
import { getHealth } from './health-of.ts';
import type { Health, HealthRequest, HealthScoreQuery, ListedHealthScore, StoredHealthScore } from './health-score.ts';
import type { KeptHealth } from './kept-health.ts';
import { requireScorer, ScoredRows, type ScoredRowsDeps, type Subject } from './scored-rows.ts';

const MAX_LOOKED_UP = 200;

export interface HealthDeps extends ScoredRowsDeps {
  readonly projectStore: Pick<ProjectStore, 'findRun' | 'findRuns'>;
  readonly keptHealth: KeptHealth;
  readonly validationStore: Pick<ValidationStore, 'find'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly pause: () => Promise<void>;
}

/** How well scorers say what is right, by the rows of datasets that know it. */
export class HealthService {
  readonly #deps: HealthDeps;
  readonly #scoredRows: ScoredRows;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
    this.#scoredRows = new ScoredRows(deps);
  }

  /**
   * The health of the scorer in a metrics-testing run or an experiment. A value is kept with the scorer's version, if the run went
   * through a dataset and no overlay took part: that asks what would be. Rows of a run without a dataset are its traces, whose
   * ground truth can only come from the overlay.
   */
  async compute(caller: Caller, project_id: string, run_id: string, request: HealthRequest): Promise<Health> {
    const { subject, version, truths, values, isOverlaid } = await this.#scoredRows.load(caller, project_id, run_id, request);
    const health = await getHealth(request.output_type, truths, values, this.#deps.pause);
    if (!isOverlaid) await this.#keep(subject, version, health);
    return health;
  }

  /** By version: the first is the baseline, the last the latest. */
  async list(caller: Caller, scorer_id: string, query: HealthScoreQuery): Promise<{ scores: ListedHealthScore[] }> {
    await this.#deps.authorizer.authorize(caller, 'dataset', query.dataset_id, 'read');
    await requireScorer(this.#deps.scorerStore, scorer_id);
    const scores = await this.#deps.keptHealth.list(scorer_id, query.dataset_id, query.health_score_type);
    const projects = await this.#projects(caller, query.dataset_id, scores);
    return {
      scores: scores.map(({ scorer_id: _scorer_id, ...score }) => ({ ...score, project_id: projects.get(score.run_id) ?? null })),
    };
  }

  /** Projects of the newest runs, of those that the caller sees. Ids of runs are unique within a project alone. */
  async #projects(caller: Caller, dataset_id: string, scores: readonly StoredHealthScore[]): Promise<Map<string, string>> {
    const { projectStore, runOriginStore, authorizer } = this.#deps;
    const run_ids = new Set(scores.map(({ run_id }) => run_id).slice(-MAX_LOOKED_UP));
    const projects = new Map<string, string>();
    for (const run_id of run_ids) {
      const runs = [
        ...(await projectStore.findRuns('metrics_testing', run_id)),
        ...(await projectStore.findRuns('experiment', run_id)),
      ];
      for (const { project_id } of runs) {
        if ((await authorizer.roleOn(caller, 'project', project_id)) === undefined) continue;
        if ((await runOriginStore.find(project_id, run_id))?.dataset_id === dataset_id) projects.set(run_id, project_id);
      }
    }
    return projects;
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
}
