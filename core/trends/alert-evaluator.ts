import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { ALERT_MINUTES, type AlertTransition, type StoredAlert } from './alert.ts';
import { bucketsFor, computeWorst, nextState, type Observation, toNotice } from './alert-state.ts';
import type { AlertStore } from './alert-store.ts';
import { widgetIn } from './dashboard.ts';
import type { DashboardStore } from './dashboard-store.ts';
import { eventData, newDelivery } from './webhook.ts';
import type { Widget } from './widget.ts';
import type { WidgetReader } from './widget-reader.ts';
import type { DueWork, WorkList } from './work-list.ts';

export interface AlertEvaluatorDeps {
  readonly alertStore: AlertStore;
  readonly dashboardStore: DashboardStore;
  readonly widgetReader: WidgetReader;
  readonly workList: WorkList;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Longer than an evaluation takes. */
const LEASE_MS = 120_000;
/** How long after its end a bucket is looked at: the roll-up follows what is logged, and senders send in batches. */
const SETTLE_MS = { minute: 5_000, hour: 60_000, day: 60_000 } as const;

/** Looks at alerts when a bucket of theirs has ended. Any number of processes may do so at once. */
export class AlertEvaluator {
  readonly #deps: AlertEvaluatorDeps;

  constructor(deps: AlertEvaluatorDeps) {
    this.#deps = deps;
  }

  /** Evaluates one alert that is due. Returns whether there was one. */
  async run(): Promise<boolean> {
    const now = this.#deps.clock().getTime();
    const until = new Date(now + LEASE_MS).toISOString();
    const work = await this.#deps.workList.claim('alert', new Date(now).toISOString(), until);
    if (!work) return false;
    const alert = await this.#deps.alertStore.find(work.project_id, work.id);
    if (!alert?.settings.is_enabled) await this.#deps.workList.remove(work);
    else await this.#evaluate(alert, work, now);
    return true;
  }

  async #evaluate(alert: StoredAlert, work: DueWork, now: number): Promise<void> {
    const { interval } = alert.settings;
    const width = ALERT_MINUTES[interval] * 60_000;
    const end = Math.floor((now - SETTLE_MS[interval]) / width) * width;
    const next = new Date(end + width + SETTLE_MS[interval]).toISOString();
    const evaluated_until = new Date(end).toISOString();
    if (alert.progress.evaluated_until === evaluated_until) return this.#deps.workList.put(work, next);
    const { observations, problem } = await this.#observe(alert, end, width);
    const { state: from, state_since } = alert.progress;
    const to = nextState(alert.settings, from, observations);
    const at = new Date(now).toISOString();
    const value = observations.at(-1)?.value ?? null;
    const bucket = { bucket_start: new Date(end - width).toISOString(), bucket_end: evaluated_until, value };
    const progress = { state: to, state_since: from === to ? state_since : at, last_value: value, evaluated_until, problem };
    await this.#deps.transactions.run(async () => {
      // Somebody else was faster, or changed the alert meanwhile and has it looked at anew.
      if (!(await this.#deps.alertStore.advance(alert, progress))) return;
      if (from !== to) await this.#tell(alert, { id: this.#deps.newId(), alert_id: alert.id, from, to, at, ...bucket });
      await this.#deps.workList.put(work, next);
    });
  }

  /** The figures of the last buckets; none where the series cannot be answered. */
  async #observe(
    { project_id, run_id, settings }: StoredAlert,
    end: number,
    width: number,
  ): Promise<{ observations: Observation[]; problem: string | null }> {
    const dashboard = await this.#deps.dashboardStore.find(project_id, run_id);
    const widget = widgetOr(() => dashboard && widgetIn(dashboard, settings.widget_id));
    const watched = widget && toWatchedWidget(widget, settings.series_index);
    if (!watched) return { observations: [], problem: 'the widget, or its series, is gone' };
    const from = end - bucketsFor(settings) * width;
    const span = {
      project_id,
      run_id,
      from: new Date(from).toISOString(),
      to: new Date(end).toISOString(),
      minutes: width / 60_000,
    };
    const question = { filters: [], max_groups: 50, exact: false };
    const [data] = await this.#deps.widgetReader.read(span, [watched], question);
    const { series, problems } = data!;
    if (problems[0]) return { observations: [], problem: problems[0].message };
    const count = Math.max(0, ...series.map(({ points }) => points.length));
    const observations = Array.from({ length: count }, (_, index) => {
      const values = series.map(({ points }) => points[index]!.value);
      return { value: computeWorst(settings, values) };
    });
    return { observations: observations.length > 0 ? observations : [{ value: null }], problem: null };
  }

  async #tell(alert: StoredAlert, transition: AlertTransition): Promise<void> {
    const { alertStore, workList, newId } = this.#deps;
    await alertStore.insertTransition(alert, transition);
    const type = toNotice(transition.from, transition.to);
    if (type === undefined || alert.settings.channel === null) return;
    const { from: previous_state, to: state, at, bucket_start, bucket_end, value } = transition;
    const data = eventData(alert, { state, previous_state, value, bucket_start, bucket_end });
    const delivery = newDelivery(newId(), alert.id, { type, timestamp: at, data });
    await alertStore.insertDelivery(alert, delivery);
    await workList.put({ kind: 'webhook', project_id: alert.project_id, id: delivery.id }, at);
  }
}

/** The widget with the one series that is watched, drawn by buckets. */
function toWatchedWidget(widget: Widget, index: number): Widget | undefined {
  if (widget.dataset.length === 0) return index === 0 ? { ...widget, type: 'line_chart' } : undefined;
  const series = widget.dataset[index];
  return series && { ...widget, type: 'line_chart', dataset: [series] };
}

function widgetOr(find: () => Widget | undefined): Widget | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
