import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { ObjectAction } from '../access/role.ts';
import { AppError } from '../kernel/errors.ts';
import type { NewId } from '../kernel/ports.ts';
import { Id } from '../kernel/text.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { ScorerKinds } from '../scorers/kinds/scorer-kinds.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import { entryViews } from '../scorers/settings/entry-views.ts';
import type { StoredEntry } from '../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import { type StoredDashboard, sectionNotFound } from './dashboard.ts';
import type { DashboardStore } from './dashboard-store.ts';
import { firstDashboard, lacksScorers, withScorers } from './default-widgets.ts';

export interface DashboardsDeps {
  readonly dashboardStore: DashboardStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
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
  async authorize(
    caller: Caller,
    { project_id, log_stream_id }: LogStreamKey,
    action: ObjectAction<'project'> | 'read',
  ): Promise<void> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, action);
    if (!(await this.#deps.projectStore.findRun(project_id, 'log_stream', log_stream_id))) throw logStreamNotFound(log_stream_id);
  }

  /** Made when it is first looked at, so that log streams have one however they came to be. */
  async of(key: LogStreamKey): Promise<StoredDashboard> {
    const known = await this.#deps.dashboardStore.find(key.project_id, key.log_stream_id);
    if (known && !lacksScorers(known, await this.#entries(key))) return known;
    return this.change(key, (dashboard) => dashboard);
  }

  async change(
    { project_id, log_stream_id }: LogStreamKey,
    change: (before: StoredDashboard) => StoredDashboard,
  ): Promise<StoredDashboard> {
    const { dashboardStore, newId } = this.#deps;
    const scorers = await entryViews(this.#deps, await this.#entries({ project_id, log_stream_id }));
    const changed = await dashboardStore.change(project_id, log_stream_id, (before) =>
      change(withScorers(before ?? firstDashboard(newId), scorers, newId)),
    );
    if (!changed) throw logStreamNotFound(log_stream_id);
    return changed;
  }

  /**
   * Rejects with AppError `section_not_found` for a section that another dashboard has. A section that is nowhere is made, and named
   * by its id; words that people choose, two may choose.
   */
  async requireOwnSection(key: LogStreamKey, section_id: string): Promise<void> {
    const { data: id } = Id.safeParse(section_id);
    if (id === undefined) return;
    const own = await this.#deps.dashboardStore.find(key.project_id, key.log_stream_id);
    if (own?.sections.some(({ id }) => id === section_id)) return;
    if (await this.#deps.dashboardStore.holdsSection(id)) throw sectionNotFound(section_id);
  }

  async #entries({ project_id, log_stream_id }: LogStreamKey): Promise<readonly StoredEntry[]> {
    return (await this.#deps.metricSettingsStore.find(project_id, log_stream_id))?.scorers ?? [];
  }
}

const logStreamNotFound = (id: string): AppError =>
  new AppError('not_found', 'log_stream_not_found', `log stream ${id} does not exist`);
