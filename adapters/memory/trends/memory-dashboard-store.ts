import type { StoredDashboard } from '../../../core/trends/dashboard.ts';
import type { DashboardStore } from '../../../core/trends/dashboard-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export interface MemoryDashboardDeps {
  runExists(project_id: string, run_id: string): Promise<boolean>;
}

export class MemoryDashboardStore implements DashboardStore {
  readonly #deps: MemoryDashboardDeps;
  readonly #dashboards: Table<string, StoredDashboard>;

  constructor(deps: MemoryDashboardDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#dashboards = deps.database.table();
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
