import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { ObjectAction } from '../access/role.ts';
import { AppError } from '../kernel/errors.ts';
import type { NewId } from '../kernel/ports.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { type MetricSettings, NO_METRICS } from '../scorers/metric-settings.ts';
import type { MetricSettingsStore } from '../scorers/metric-settings-store.ts';
import type { StoredDashboard } from './dashboard.ts';
import type { DashboardStore } from './dashboard-store.ts';
import { firstDashboard, lacksScorers, withScorers } from './default-widgets.ts';

export interface DashboardsDeps {
  readonly dashboardStore: DashboardStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly projectStore: ProjectStore;
  readonly authorizer: Authorizer;
  readonly newId: NewId;
}

/** Of which log stream a request is. */
export interface LogStreamKey {
  readonly project_id: string;
  readonly log_stream_id: string;
}

/** Dashboards as callers meet them: with what they begin with, and a widget for each enabled scorer. */
export class Dashboards {
  readonly #deps: DashboardsDeps;

  constructor(deps: DashboardsDeps) {
    this.#deps = deps;
  }

  /** Rejects with AppError `project_not_found`, `role_too_low` or `log_stream_not_found`. */
  async demand(
    caller: Caller,
    { project_id, log_stream_id }: LogStreamKey,
    action: ObjectAction<'project'> | 'read',
  ): Promise<void> {
    await this.#deps.authorizer.demand(caller, 'project', project_id, action);
    if (!(await this.#deps.projectStore.findRun(project_id, 'log_stream', log_stream_id))) throw logStreamNotFound(log_stream_id);
  }

  /** Made when it is first looked at, so that log streams have one however they came to be. */
  async of({ project_id, log_stream_id }: LogStreamKey): Promise<StoredDashboard> {
    const { dashboardStore, metricSettingsStore } = this.#deps;
    const settings = (await metricSettingsStore.find(project_id, log_stream_id)) ?? NO_METRICS;
    const known = await dashboardStore.find(project_id, log_stream_id);
    if (known && !lacksScorers(known, settings)) return known;
    return this.#changed({ project_id, log_stream_id }, settings, (dashboard) => dashboard);
  }

  async change(key: LogStreamKey, change: (before: StoredDashboard) => StoredDashboard): Promise<StoredDashboard> {
    const settings = await this.#deps.metricSettingsStore.find(key.project_id, key.log_stream_id);
    return this.#changed(key, settings ?? NO_METRICS, change);
  }

  async #changed(
    { project_id, log_stream_id }: LogStreamKey,
    settings: MetricSettings,
    change: (before: StoredDashboard) => StoredDashboard,
  ): Promise<StoredDashboard> {
    const { dashboardStore, newId } = this.#deps;
    const changed = await dashboardStore.change(project_id, log_stream_id, (before) =>
      change(withScorers(before ?? firstDashboard(newId), settings, newId)),
    );
    if (!changed) throw logStreamNotFound(log_stream_id);
    return changed;
  }
}

const logStreamNotFound = (id: string): AppError =>
  new AppError('not_found', 'log_stream_not_found', `log stream ${id} does not exist`);
