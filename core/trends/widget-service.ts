import type { Caller } from '../access/caller.ts';
import type { NewId } from '../kernel/ports.ts';
import { toRecordCondition } from '../traces/record-query.ts';
import { getWidgets, type StoredDashboard, widgetIn, withoutWidget, withWidget, withWidgetChanged } from './dashboard.ts';
import type { Dashboards, LogStreamKey } from './dashboards.ts';
import { checkSeries } from './series-plan.ts';
import type { NewWidget, Widget, WidgetUpdate } from './widget.ts';
import { type DashboardQuery, toTimeSpan, type WidgetData, type WidgetQuery } from './widget-query.ts';
import type { WidgetReader } from './widget-reader.ts';

export interface WidgetDeps {
  readonly dashboards: Dashboards;
  readonly widgetReader: WidgetReader;
  readonly newId: NewId;
}

/** Charts of the trends dashboard of a log stream, and what they show. */
export class WidgetService {
  readonly #deps: WidgetDeps;

  constructor(deps: WidgetDeps) {
    this.#deps = deps;
  }

  async createWidget(caller: Caller, key: LogStreamKey, { section_id, ...body }: NewWidget): Promise<Widget> {
    await this.#deps.dashboards.authorize(caller, key, 'update');
    checkSeries(body.dataset, ['body', 'dataset']);
    await this.#deps.dashboards.requireOwnSection(key, section_id);
    const id = this.#deps.newId();
    return widgetIn(await this.#deps.dashboards.change(key, (before) => withWidget(before, section_id, { id, ...body })), id);
  }

  async listWidgets(caller: Caller, key: LogStreamKey): Promise<{ widgets: Widget[] }> {
    return { widgets: getWidgets(await this.#read(caller, key)) };
  }

  async getWidget(caller: Caller, key: LogStreamKey, id: string): Promise<Widget> {
    return widgetIn(await this.#read(caller, key), id);
  }

  async updateWidget(caller: Caller, key: LogStreamKey, id: string, update: WidgetUpdate): Promise<Widget> {
    await this.#deps.dashboards.authorize(caller, key, 'update');
    checkSeries(update.dataset ?? [], ['body', 'dataset']);
    if (update.section_id) await this.#deps.dashboards.requireOwnSection(key, update.section_id);
    return widgetIn(await this.#deps.dashboards.change(key, (before) => withWidgetChanged(before, id, update)), id);
  }

  async deleteWidget(caller: Caller, key: LogStreamKey, id: string): Promise<void> {
    await this.#deps.dashboards.authorize(caller, key, 'update');
    await this.#deps.dashboards.change(key, (before) => withoutWidget(before, id));
  }

  async queryWidget(caller: Caller, key: LogStreamKey, id: string, query: WidgetQuery): Promise<WidgetData> {
    const [data] = await this.#data(key, [widgetIn(await this.#read(caller, key), id)], query);
    return data!;
  }

  /** All widgets in one reply, in the order of the dashboard; of those that are named, each has to be there. */
  async queryWidgets(caller: Caller, key: LogStreamKey, query: DashboardQuery): Promise<{ widgets: WidgetData[] }> {
    const dashboard = await this.#read(caller, key);
    const wanted = query.widget_ids?.map((id) => widgetIn(dashboard, id)) ?? getWidgets(dashboard);
    return { widgets: await this.#data(key, wanted, query) };
  }

  async #data({ project_id, log_stream_id: run_id }: LogStreamKey, widgets: readonly Widget[], query: WidgetQuery) {
    toRecordCondition({ filters: query.filters });
    return this.#deps.widgetReader.read(toTimeSpan({ project_id, run_id }, query), widgets, query);
  }

  async #read(caller: Caller, key: LogStreamKey): Promise<StoredDashboard> {
    await this.#deps.dashboards.authorize(caller, key, 'read');
    return this.#deps.dashboards.of(key);
  }
}
