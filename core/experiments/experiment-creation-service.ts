import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { takeFreeName } from '../kernel/free-name.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import type { BudgetCheck } from '../models/budgets/budget-check.ts';
import { projectNotFound } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { NEWEST_RUNS_FIRST, type Run, type RunFilter } from '../projects/run.ts';
import { givenSettings } from '../prompts/run-settings.ts';
import { type Experiment, experimentEvent, type NewExperiment } from './experiment.ts';
import type { ExperimentFacts } from './experiment-facts.ts';
import { type ExperimentSourceDeps, ExperimentSources } from './experiment-sources.ts';
import { type ExperimentViewDeps, ExperimentViews } from './experiment-views.ts';
import { type FactKeeperDeps, keepFacts } from './fact-keeper.ts';
import { generationJob, toGeneration } from './generation.ts';
import type { ScorerEnabling } from './scorer-enabling.ts';

export interface ExperimentCreationDeps extends ExperimentViewDeps, ExperimentSourceDeps, FactKeeperDeps {
  readonly projectStore: ProjectStore;
  readonly enableScorers: ScorerEnabling;
  readonly jobs: Jobs;
  readonly spendingBudgets: BudgetCheck;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

const FIELDS = { dataset: 'dataset', prompt: 'prompt_template_version_id' };

/** Makes experiments, and has them filled where that is asked for. */
export class ExperimentCreationService {
  readonly #deps: ExperimentCreationDeps;
  readonly #views: ExperimentViews;
  readonly #sources: ExperimentSources;

  constructor(deps: ExperimentCreationDeps) {
    this.#deps = deps;
    this.#views = new ExperimentViews(deps);
    this.#sources = new ExperimentSources(deps);
  }

  /** Where the name is taken the experiment gets a free suffix: two runs never share their records. */
  async createExperiment(caller: Caller, project_id: string, wanted: NewExperiment): Promise<Experiment> {
    const { projectStore, authorizer } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'create_run');
    const run_id = this.#deps.newId();
    const given = await this.#toFacts(caller, project_id, run_id, wanted);
    const facts = wanted.trigger ? toGeneration(given, FIELDS) : given;
    if (wanted.trigger) await this.#deps.spendingBudgets.requireLeftToBegin(project_id);
    const names = { takenNames: (candidates: readonly string[]) => this.#takenNames(project_id, candidates) };
    await takeFreeName(names, wanted.name, true, (name) => this.#insert(caller, facts, name, wanted));
    const run = await projectStore.findRun(project_id, 'experiment', run_id);
    return this.#views.one(run!, true);
  }

  #insert(caller: Caller, facts: ExperimentFacts, name: string, { scorers, trigger }: NewExperiment): Promise<void> {
    const { projectStore, auditTrail, transactions, enableScorers } = this.#deps;
    const { project_id, run_id } = facts;
    const at = this.#deps.clock().toISOString();
    const more = { created_by: caller.user_id, has_user_created_sessions: false, created_at: at, updated_at: at };
    const run: Run = { project_id, id: run_id, kind: 'experiment', name, ...more };
    return transactions.run(async () => {
      if (!(await projectStore.holdProject(project_id))) throw projectNotFound(project_id);
      await projectStore.insertRun(run);
      await keepFacts(this.#deps, facts, at);
      if (scorers) await enableScorers(caller, { project_id, run_id }, scorers);
      if (trigger) await this.#start(caller, facts);
      await auditTrail.note(caller, experimentEvent('create', project_id, { experiment_id: run_id, name }));
    });
  }

  async #start(caller: Caller, facts: ExperimentFacts): Promise<void> {
    const generation = toGeneration(facts, FIELDS);
    const { dataset_id, version_index } = generation.dataset;
    const version = await this.#deps.datasetContentStore.findVersion(dataset_id, version_index);
    await this.#deps.jobs.start(generationJob(generation, caller.user_id, version?.num_rows ?? 0));
  }

  async #toFacts(caller: Caller, project_id: string, run_id: string, wanted: NewExperiment): Promise<ExperimentFacts> {
    const { dataset, prompt_template_version_id: version_id } = wanted;
    const found = version_id ? await this.#sources.prompt(caller, version_id) : undefined;
    const settings = found || wanted.prompt_settings ? { ...found?.settings, ...givenSettings(wanted.prompt_settings) } : null;
    return {
      project_id,
      run_id,
      task_type: wanted.task_type,
      dataset: dataset ? await this.#sources.dataset(caller, dataset.dataset_id, dataset.version_index) : null,
      prompt: found?.prompt ?? null,
      prompt_run_settings: settings,
      playground_id: wanted.playground_id ?? null,
      playground_prompt_id: wanted.playground_prompt_id ?? null,
      generated: null,
    };
  }

  async #takenNames(project_id: string, candidates: readonly string[]): Promise<string[]> {
    const byName = (values: string[]): RunFilter => {
      return { family: 'string', name: 'name', operator: 'one_of', values, case_sensitive: true };
    };
    const filters = [byName([...candidates])];
    const runs = await this.#deps.projectStore.listRuns(project_id, 'experiment', filters, NEWEST_RUNS_FIRST);
    return runs.map(({ name }) => name);
  }
}
