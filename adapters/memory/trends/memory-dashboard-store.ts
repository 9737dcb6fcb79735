import type { StoredDashboard } from '../../../core/trends/dashboard.ts';
import type { DashboardStore } from '../../../core/trends/dashboard-store.ts';

export interface MemoryDashboardDeps {
  runExists(project_id: string, run_id: string): Promise<boolean>;
}

export class MemoryDashboardStore implements DashboardStore {
  readonly #deps: MemoryDashboardDeps;
  readonly #dashboards = new Map<string, StoredDashboard>();

  constructor(deps: MemoryDashboardDeps) {
    this.#deps = deps;
  }

  async find(project_id: string, run_id: string): Promise<StoredDashboard | undefined> {
    if (!(await this.#deps.runExists(project_id, run_id))) return undefined;
    return structuredClone(this.#dashboards.get(`${project_id} ${run_id}`));
  }

  async holdsSection(section_id: string): Promise<boolean> {
    return [...this.#dashboards.values()].some(({ sections }) => sections.some(({ id }) => id === section_id));
  }

  async change(
    project_id: string,
    run_id: string,
    change: (before: StoredDashboard | undefined) => StoredDashboard,
  ): Promise<StoredDashboard | undefined> {
    if (!(await this.#deps.runExists(project_id, run_id))) return undefined;
    const key = `${project_id} ${run_id}`;
    const changed = change(structuredClone(this.#dashboards.get(key)));
    this.#dashboards.set(key, structuredClone(changed));
    return changed;
  }
}
