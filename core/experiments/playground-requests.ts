import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { hasEnded, type NewJob } from '../jobs/job.ts';
import type { JobRequest } from '../jobs/job-request.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { AppError } from '../kernel/errors.ts';
import type { Explain } from '../kernel/explain.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { BudgetCheck } from '../models/budgets/budget-check.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { givenSettings, RunSettings } from '../prompts/run-settings.ts';
import { NewScorerEntry } from '../scorers/settings/metric-settings.ts';
import { experimentNotFound } from './experiment.ts';
import { type ExperimentFacts, plainFacts } from './experiment-facts.ts';
import { type ExperimentSourceDeps, ExperimentSources } from './experiment-sources.ts';
import { type FactKeeperDeps, keepFacts } from './fact-keeper.ts';
import { type GenerationFacts, generationJob, PLAYGROUND_RUN, refuseOtherSources, toGeneration } from './generation.ts';
import type { ScorerEnabling } from './scorer-enabling.ts';

export interface PlaygroundRequestDeps extends ExperimentSourceDeps, FactKeeperDeps {
  readonly projectStore: ProjectStore;
  readonly jobStore: JobStore;
  readonly spendingBudgets: BudgetCheck;
  readonly enableScorers: ScorerEnabling;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
  readonly explain: Explain;
  readonly clock: Clock;
}

const FIELDS = { dataset: 'dataset_id', prompt: 'prompt_template_version_id' };
const Asked = NewScorerEntry.array().max(200);

/**
 * Builds the `POST /jobs` request that runs a prompt over a dataset. Fields that it leaves out follow from the
 * experiment. What it leaves out is what the experiment says already.
 */
export class PlaygroundRequests {
  readonly #deps: PlaygroundRequestDeps;
  readonly #sources: ExperimentSources;

  constructor(deps: PlaygroundRequestDeps) {
    this.#deps = deps;
    this.#sources = new ExperimentSources(deps);
  }

  /** Scorers are enabled before the first row: each of them is scored as it comes. */
  async prepare(caller: Caller, request: JobRequest): Promise<NewJob> {
    const { experimentStore, datasetContentStore, transactions, enableScorers } = this.#deps;
    const { project_id, run_id } = request;
    await this.#authorizeRun(caller, project_id, run_id);
    const before = (await experimentStore.find(project_id, run_id)) ?? plainFacts(project_id, run_id);
    const facts = await this.#toFacts(caller, before, request);
    refuseOtherSources(before, facts);
    const scorers = request.scorers ? this.#parsed(Asked, request.scorers, 'scorers') : undefined;
    await this.#deps.spendingBudgets.requireLeftToBegin(project_id);
    await transactions.run(async () => {
      await keepFacts(this.#deps, facts, this.#deps.clock().toISOString());
      if (scorers) await enableScorers(caller, { project_id, run_id }, scorers);
    });
    const { dataset_id, version_index } = facts.dataset;
    const version = await datasetContentStore.findVersion(dataset_id, version_index);
    return generationJob(facts, caller.user_id, version?.num_rows ?? 0);
  }

  async #authorizeRun(caller: Caller, project_id: string, run_id: string): Promise<void> {
    const { authorizer, projectStore, jobStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'log_data');
    if (!(await projectStore.findRun(project_id, 'experiment', run_id))) throw experimentNotFound(run_id);
    const jobs = await jobStore.listByRun(project_id, run_id);
    if (jobs.some((job) => job.job_name === PLAYGROUND_RUN && !hasEnded(job)))
      throw new AppError('conflict', 'experiment_running', 'a prompt is being run into this experiment already');
  }

  async #toFacts(caller: Caller, before: ExperimentFacts, request: JobRequest): Promise<GenerationFacts> {
    const { dataset_id, dataset_version_index, prompt_template_version_id, task_type } = request;
    const own = before.dataset && (dataset_id ?? before.dataset.dataset_id) === before.dataset.dataset_id ? before.dataset : null;
    const index = dataset_version_index ?? own?.version_index;
    const wanted = dataset_id ?? own?.dataset_id;
    const dataset = wanted ? await this.#sources.dataset(caller, wanted, index) : null;
    const found = prompt_template_version_id ? await this.#sources.prompt(caller, prompt_template_version_id) : undefined;
    const given = givenSettings(this.#parsed(RunSettings, request.prompt_settings ?? {}, 'prompt_settings'));
    const settings = { ...(found ? found.settings : before.prompt_run_settings), ...given };
    const facts = { ...before, dataset, prompt: found?.prompt ?? before.prompt, prompt_run_settings: settings };
    return toGeneration({ ...facts, task_type: task_type === 17 ? 17 : before.task_type }, FIELDS);
  }

  #parsed<S extends typeof RunSettings | typeof Asked>(schema: S, value: unknown, field: string): ReturnType<S['parse']> {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data as ReturnType<S['parse']>;
    const issues = this.#deps.explain(schema, value, ['body', field]);
    throw new AppError('invalid', 'request_invalid', 'the request is not valid', { issues });
  }
}
