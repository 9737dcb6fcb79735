import type { ProjectStore } from '../../../core/projects/project-store.ts';
import { runNotFound } from '../../../core/projects/run.ts';
import type { RunOrigin } from '../../../core/projects/run-origin.ts';
import type { RunOriginStore } from '../../../core/projects/run-origin-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import { type RunExists, runExistsIn } from '../projects/run-exists.ts';
import type { Table } from '../table.ts';

export class MemoryRunOriginStore implements RunOriginStore {
  readonly #runExists: RunExists;
  readonly #origins: Table<string, RunOrigin>;

  constructor({ database, projectStore }: { database: MemoryDatabase; projectStore: ProjectStore }) {
    this.#runExists = runExistsIn(projectStore);
    this.#origins = database.table();
  }

  async put(origin: RunOrigin): Promise<void> {
    const { project_id, run_id } = origin;
    if (!(await this.#runExists(project_id, run_id))) throw runNotFound(project_id, run_id);
    this.#origins.set(`${project_id} ${run_id}`, { ...origin });
  }

  async find(project_id: string, run_id: string): Promise<RunOrigin | undefined> {
    const origin = this.#origins.get(`${project_id} ${run_id}`);
    return origin && (await this.#runExists(project_id, run_id)) ? { ...origin } : undefined;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<RunOrigin[]> {
    const found = await Promise.all([...new Set(run_ids)].map((run_id) => this.find(project_id, run_id)));
    return found.filter((origin) => origin !== undefined);
  }
}
