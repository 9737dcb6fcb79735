import type { Caller } from '../access/caller.ts';
import type { NewId } from '../kernel/ports.ts';
import { compareText } from '../kernel/query/sort.ts';
import type { MetricSeriesStore } from '../otel/metrics/metric-series-store.ts';
import {
  type DashboardFile,
  type DashboardOrder,
  getFile,
  type NewDashboardFile,
  type NewSection,
  ordered,
  type SectionUpdate,
  type StoredDashboard,
  sectionIn,
  sectionView,
  type TrendsDashboard,
  withFile,
  withoutSection,
  withSection,
  withSectionChanged,
} from './dashboard.ts';
import type { Dashboards, LogStreamKey } from './dashboards.ts';
import { checkSeries } from './series-plan.ts';
import type { TrendStore } from './trend-store.ts';

export interface DashboardDeps {
  readonly dashboards: Dashboards;
  readonly trendStore: TrendStore;
  readonly metricSeriesStore: Pick<MetricSeriesStore, 'names'>;
  readonly newId: NewId;
}

/** The trends dashboard of a log stream: its sections, their order, and the whole of it as a file. */
export class DashboardService {
  readonly #deps: DashboardDeps;

  constructor(deps: DashboardDeps) {
    this.#deps = deps;
  }

  async getDashboard(caller: Caller, key: LogStreamKey): Promise<TrendsDashboard> {
    await this.#deps.dashboards.authorize(caller, key, 'read');
    return shown(key, await this.#deps.dashboards.of(key));
  }

  /** Names of numbers that records of the log stream have, and of metrics that OpenTelemetry sent to it, to make widgets of. */
  async listMetrics(caller: Caller, key: LogStreamKey): Promise<{ metrics: string[]; units: Record<string, string> }> {
    await this.#deps.dashboards.authorize(caller, key, 'read');
    const { project_id, log_stream_id } = key;
    const ofRecords = await this.#deps.trendStore.names(project_id, log_stream_id);
    const series = await this.#deps.metricSeriesStore.names(project_id, log_stream_id);
    const units = Object.fromEntries(series.map(({ name, unit }) => [name, unit]));
    return { metrics: [...new Set([...ofRecords, ...Object.keys(units)])].sort(compareText), units };
  }

  async createSection(caller: Caller, key: LogStreamKey, { name, position }: NewSection) {
    const section = { id: this.#deps.newId(), name, widgets: [] };
    await this.#change(caller, key, (before) => withSection(before, section, position));
    return sectionView(section);
  }

  async updateSection(caller: Caller, key: LogStreamKey, id: string, update: SectionUpdate) {
    const changed = await this.#change(caller, key, (before) => withSectionChanged(before, id, update));
    return sectionView(sectionIn(changed, id));
  }

  /** With the widgets in it. */
  async deleteSection(caller: Caller, key: LogStreamKey, id: string): Promise<void> {
    await this.#change(caller, key, (before) => withoutSection(before, id));
  }

  async orderDashboard(caller: Caller, key: LogStreamKey, order: DashboardOrder): Promise<TrendsDashboard> {
    return shown(key, await this.#change(caller, key, (before) => ordered(before, order)));
  }

  async exportDashboard(caller: Caller, key: LogStreamKey): Promise<DashboardFile> {
    await this.#deps.dashboards.authorize(caller, key, 'read');
    return getFile(await this.#deps.dashboards.of(key));
  }

  async importDashboard(
    caller: Caller,
    key: LogStreamKey,
    file: NewDashboardFile,
    isReplacing: boolean,
  ): Promise<TrendsDashboard> {
    await this.#deps.dashboards.authorize(caller, key, 'update');
    for (const [section, { widgets }] of file.sections.entries())
      for (const [index, { dataset }] of widgets.entries())
        checkSeries(dataset, ['body', 'sections', section, 'widgets', index, 'dataset']);
    return shown(key, await this.#change(caller, key, (before) => withFile(before, file, isReplacing, this.#deps.newId)));
  }

  async #change(
    caller: Caller,
    key: LogStreamKey,
    change: (before: StoredDashboard) => StoredDashboard,
  ): Promise<StoredDashboard> {
    await this.#deps.dashboards.authorize(caller, key, 'update');
    return this.#deps.dashboards.change(key, change);
  }
}

const shown = (key: LogStreamKey, { sections }: StoredDashboard): TrendsDashboard => ({
  ...key,
  sections: sections.map(sectionView),
});
