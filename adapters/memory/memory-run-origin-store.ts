import { AppError } from '../../core/kernel/errors.ts';
import type { ProjectStore } from '../../core/projects/project-store.ts';
import type { RunKind } from '../../core/projects/run.ts';
import type { RunOrigin } from '../../core/projects/run-origin.ts';
import type { RunOriginStore } from '../../core/projects/run-origin-store.ts';

const KINDS: readonly RunKind[] = ['log_stream', 'experiment', 'metrics_testing'];

export class MemoryRunOriginStore implements RunOriginStore {
  readonly #projectStore: ProjectStore;
  readonly #origins = new Map<string, RunOrigin>();

  constructor({ projectStore }: { projectStore: ProjectStore }) {
    this.#projectStore = projectStore;
  }

  async put(origin: RunOrigin): Promise<void> {
    const { project_id, run_id } = origin;
    if (!(await this.#hasRun(project_id, run_id)))
      throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    this.#origins.set(`${project_id} ${run_id}`, { ...origin });
  }

  async find(project_id: string, run_id: string): Promise<RunOrigin | undefined> {
    const origin = this.#origins.get(`${project_id} ${run_id}`);
    return origin && (await this.#hasRun(project_id, run_id)) ? { ...origin } : undefined;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<RunOrigin[]> {
    const found = await Promise.all([...new Set(run_ids)].map((run_id) => this.find(project_id, run_id)));
    return found.filter((origin) => origin !== undefined);
  }

  async #hasRun(project_id: string, run_id: string): Promise<boolean> {
    const found = await Promise.all(KINDS.map((kind) => this.#projectStore.findRun(project_id, kind, run_id)));
    return found.some((run) => run !== undefined);
  }
}
