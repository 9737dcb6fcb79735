import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { experimentNotFound } from './experiment.ts';
import { type NewRunTag, type RunTag, tagNotFound } from './run-tag.ts';
import type { RunTagStore } from './run-tag-store.ts';

export interface ExperimentTagDeps {
  readonly runTagStore: RunTagStore;
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface ExperimentRef {
  readonly project_id: string;
  readonly experiment_id: string;
}

/** Tags by which people tell experiments apart: one of each key on an experiment. */
export class ExperimentTagService {
  readonly #deps: ExperimentTagDeps;

  constructor(deps: ExperimentTagDeps) {
    this.#deps = deps;
  }

  async list(caller: Caller, of: ExperimentRef): Promise<RunTag[]> {
    await this.#see(caller, of, 'read');
    return this.#deps.runTagStore.list(of.project_id, [of.experiment_id]);
  }

  /** Replaces the tag of the same key. */
  async create(caller: Caller, of: ExperimentRef, wanted: NewRunTag): Promise<RunTag> {
    await this.#see(caller, of, 'edit_run_tags');
    const { project_id, experiment_id: run_id } = of;
    const at = this.#deps.clock().toISOString();
    const facts = { project_id, run_id, created_by: caller.user_id, created_at: at, updated_at: at };
    return this.#deps.runTagStore.put({ id: this.#deps.newId(), ...wanted, ...facts });
  }

  async get(caller: Caller, of: ExperimentRef, id: string): Promise<RunTag> {
    await this.#see(caller, of, 'read');
    const tag = await this.#deps.runTagStore.find(of.project_id, of.experiment_id, id);
    if (!tag) throw tagNotFound(id);
    return tag;
  }

  async update(caller: Caller, of: ExperimentRef, id: string, wanted: NewRunTag): Promise<RunTag> {
    await this.#see(caller, of, 'edit_run_tags');
    const changes = { ...wanted, updated_at: this.#deps.clock().toISOString() };
    const tag = await this.#deps.runTagStore.update(of.project_id, of.experiment_id, id, changes);
    if (!tag) throw tagNotFound(id);
    return tag;
  }

  async delete(caller: Caller, of: ExperimentRef, id: string): Promise<{ message: string }> {
    await this.#see(caller, of, 'edit_run_tags');
    if (!(await this.#deps.runTagStore.remove(of.project_id, of.experiment_id, id))) throw tagNotFound(id);
    return { message: `tag ${id} was deleted` };
  }

  async #see(caller: Caller, { project_id, experiment_id }: ExperimentRef, action: 'read' | 'edit_run_tags'): Promise<void> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, action);
    const run = await this.#deps.projectStore.findRun(project_id, 'experiment', experiment_id);
    if (!run) throw experimentNotFound(experiment_id);
  }
}
