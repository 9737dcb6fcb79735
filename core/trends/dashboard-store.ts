import type { StoredDashboard } from './dashboard.ts';

/** Dashboards of log streams, one each. Values handed in or out belong to the caller. */
export interface DashboardStore {
  /** Undefined for a log stream that has none yet, and for an unknown one. */
  find(project_id: string, run_id: string): Promise<StoredDashboard | undefined>;
  /** Whether a section of this id is in any dashboard, of whatever project. */
  holdsSection(section_id: string): Promise<boolean>;
  /**
   * Replaces the dashboard by what `change` makes of it, in isolation; of undefined, where there is none yet. `change`
   * may throw; then nothing changes. Undefined for an unknown log stream.
   */
  change(
    project_id: string,
    run_id: string,
    change: (before: StoredDashboard | undefined) => StoredDashboard,
  ): Promise<StoredDashboard | undefined>;
}
