import type { Caller } from '../../access/caller.ts';
import type { Clock } from '../../kernel/ports.ts';
import { MODEL_CALLS } from '../../traces/catalogue/span-types.ts';
import { toRecordCondition } from '../../traces/record-query.ts';
import { getWidgets, widgetIn } from '../dashboard.ts';
import type { Dashboards, LogStreamKey } from '../dashboards.ts';
import { DAY_MS, FIRST, HOUR_MS, LAST } from '../drift/drift-windows.ts';
import { readModelUse } from '../model-use.ts';
import type { SeriesStore } from '../series-store.ts';
import { type DashboardQuery, type Span, toTimeSpan, type WidgetData } from '../widget-query.ts';
import { hasPoints, type WidgetReader } from '../widget-reader.ts';
import { findChangePoints, findNear } from './change-points.ts';
import type { KnownChanges } from './known-changes.ts';
import { findModelChanges } from './model-changes.ts';
import type { ChangePoint, ChangesProblem, TrendChange, TrendChanges } from './trend-change.ts';

export interface TrendChangesDeps {
  readonly dashboards: Pick<Dashboards, 'authorize' | 'of'>;
  readonly knownChanges: KnownChanges;
  readonly seriesStore: SeriesStore;
  readonly widgetReader: WidgetReader;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
/** A change is near a change point when fewer buckets lie between them. */
const NEAR_BUCKETS = 2;
/** Models that are told apart. */
const MAX_MODELS = 20;
/** Points of one call that are looked at for change points: a second of work where each series has all the shifts it can have. */
const MAX_POINTS = 10_000;

/** Tells what changed in a time: what is known of, and level shifts of the series of a dashboard with what happened near them. */
export class TrendChangesService {
  readonly #deps: TrendChangesDeps;

  constructor(deps: TrendChangesDeps) {
    this.#deps = deps;
  }

  /** Of the series of all widgets with points, or of those that are named, each of which has to be there. */
  async query(caller: Caller, key: LogStreamKey, query: DashboardQuery): Promise<TrendChanges> {
    const { dashboards, knownChanges, widgetReader } = this.#deps;
    await dashboards.authorize(caller, key, 'read');
    const dashboard = await dashboards.of(key);
    toRecordCondition({ filters: query.filters });
    const wanted = query.widget_ids?.map((id) => widgetIn(dashboard, id)) ?? getWidgets(dashboard);
    const run = { project_id: key.project_id, run_id: key.log_stream_id };
    const span = toTimeSpan(run, query);
    const widgets = await widgetReader.read(span, wanted.filter(hasPoints), query);
    const [known, models] = await Promise.all([knownChanges.read(caller, span), this.#readModels(span)]);
    const changes = [...known.changes, ...models.changes].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const near_minutes = Math.max(span.minutes * NEAR_BUCKETS, HOUR_MS / MINUTE_MS);
    const found = await this.#findPoints(widgets, changes, near_minutes * MINUTE_MS);
    const problems = [...known.problems, ...models.problems, ...found.problems];
    return { start_time: span.from, end_time: span.to, changes, change_points: found.points, near_minutes, problems };
  }

  /** Models that are called or not from a bucket within the time on; a day before it tells which ones were called until then. */
  async #readModels(span: Span): Promise<{ changes: TrendChange[]; problems: ChangesProblem[] }> {
    const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
    const before = new Date(Math.max(FIRST, Math.floor((from - DAY_MS) / HOUR_MS) * HOUR_MS)).toISOString();
    const whole = new Date(Math.min(LAST, Math.ceil(to / HOUR_MS) * HOUR_MS)).toISOString();
    const use = await readModelUse(this.#deps.seriesStore, { ...span, from: before, to: whole }, MODEL_CALLS, MAX_MODELS);
    if ('too_many' in use) return { changes: [], problems: [{ code: 'too_many_calls', message: use.too_many }] };
    const changes = findModelChanges(use.rows, span.minutes * MINUTE_MS);
    return { changes: changes.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to), problems: [] };
  }

  /** One series after the other, with others' work between them. */
  async #findPoints(widgets: readonly WidgetData[], changes: readonly TrendChange[], near: number) {
    const now = this.#deps.clock().getTime();
    const all = widgets.flatMap(({ widget_id, series }) => series.map((one) => ({ widget_id, one })));
    const points: ChangePoint[] = [];
    let size = 0;
    let left = 0;
    for (const { widget_id, one } of all) {
      size += one.points.length;
      if (size > MAX_POINTS) left += 1;
      else {
        const found = findChangePoints(one, now);
        points.push(...found.map((point) => ({ widget_id, ...point, changes: findNear(changes, point, near) })));
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    const message = `${left} series are not looked at: all have more than ${MAX_POINTS} points`;
    points.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    return { points, problems: left > 0 ? [{ code: 'too_many_points', message }] : [] };
  }
}
