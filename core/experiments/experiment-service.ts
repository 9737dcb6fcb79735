import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { NEWEST_RUNS_FIRST } from '../projects/run.ts';
import {
  type Experiment,
  type ExperimentSearch,
  type ExperimentUpdate,
  experimentEvent,
  experimentNotFound,
} from './experiment.ts';
import { plainFacts } from './experiment-facts.ts';
import { type ExperimentViewDeps, ExperimentViews } from './experiment-views.ts';

export interface ExperimentDeps extends ExperimentViewDeps {
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

export type ExperimentPage = PageFields & { experiments: Experiment[] };

const KIND = 'experiment';

/** Experiments as runs of a project: looking at them, renaming and deleting them. */
export class ExperimentService {
  readonly #deps: ExperimentDeps;
  readonly #views: ExperimentViews;

  constructor(deps: ExperimentDeps) {
    this.#deps = deps;
    this.#views = new ExperimentViews(deps);
  }

  /** All of them, however many: clients scan the list for a name. */
  async listExperiments(caller: Caller, project_id: string, include_counts: boolean): Promise<Experiment[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const runs = await this.#deps.projectStore.listRuns(project_id, KIND, [], NEWEST_RUNS_FIRST);
    return this.#views.many(project_id, runs, include_counts);
  }

  listExperimentPage(caller: Caller, project_id: string, page: PageRequest, include_counts: boolean): Promise<ExperimentPage> {
    return this.searchExperiments(caller, project_id, { ...page, filters: [], sort: NEWEST_RUNS_FIRST, include_counts });
  }

  async searchExperiments(caller: Caller, project_id: string, search: ExperimentSearch): Promise<ExperimentPage> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { filters, sort, include_counts } = search;
    const runs = await this.#deps.projectStore.listRuns(project_id, KIND, filters, sort, sliceFor(search));
    const { items, page } = toPage(runs, search);
    return { ...page, experiments: await this.#views.many(project_id, items, include_counts) };
  }

  async getExperiment(caller: Caller, project_id: string, id: string): Promise<Experiment> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const run = await this.#deps.projectStore.findRun(project_id, KIND, id);
    if (!run) throw experimentNotFound(id);
    return this.#views.one(run, true);
  }

  async updateExperiment(caller: Caller, project_id: string, id: string, update: ExperimentUpdate): Promise<Experiment> {
    const { projectStore, experimentStore, authorizer, auditTrail, transactions } = this.#deps;
    const { name, task_type } = update;
    await authorizer.authorize(caller, 'project', project_id, 'rename_run');
    const run = await transactions.run(async () => {
      const updated_at = this.#deps.clock().toISOString();
      const renamed = await projectStore.updateRun(project_id, KIND, id, { name, updated_at });
      if (!renamed) throw experimentNotFound(id);
      const facts = (await experimentStore.find(project_id, id)) ?? plainFacts(project_id, id);
      if (facts.task_type !== task_type) await experimentStore.put({ ...facts, task_type });
      await auditTrail.note(caller, experimentEvent('rename', project_id, { experiment_id: id, name }));
      return renamed;
    });
    return this.#views.one(run, true);
  }

  /** The run goes first and its records last, for the reason given at `ProjectService.deleteProject`. */
  async deleteExperiment(caller: Caller, project_id: string, id: string): Promise<void> {
    const { projectStore, runRecords, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'delete_run');
    await transactions.run(async () => {
      if (!(await projectStore.removeRun(project_id, KIND, id))) throw experimentNotFound(id);
      await runRecords.removeAll(project_id, id);
      await auditTrail.note(caller, experimentEvent('delete', project_id, { experiment_id: id }));
    });
  }
}
