import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { ALERT_MINUTES, type AlertProgress, type StoredAlert } from './alert.ts';
import { bucketsFor, computeWorst, isSilent, type Notice, nextState, type Observation, toNotice } from './alert-state.ts';
import type { AlertStore } from './alert-store.ts';
import { widgetIn } from './dashboard.ts';
import type { DashboardStore } from './dashboard-store.ts';
import type { DriftReader } from './drift/drift-reader.ts';
import { type AlertRouting, type Recipient, toToldRoutes } from './routing/alert-routing.ts';
import { planSeries } from './series-plan.ts';
import { eventData, newDelivery } from './webhook.ts';
import type { Widget } from './widget.ts';
import type { WidgetReader } from './widget-reader.ts';
import type { DueWork, WorkList } from './work-list.ts';

export interface AlertEvaluatorDeps {
  readonly alertStore: AlertStore;
  readonly dashboardStore: DashboardStore;
  readonly widgetReader: WidgetReader;
  readonly driftReader: Pick<DriftReader, 'readWindows'>;
  readonly alertRouting: AlertRouting;
  readonly workList: WorkList;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Longer than an evaluation takes. */
const LEASE_MS = 120_000;
/** How long after its end a bucket is looked at: the roll-up follows what is logged, and senders send in batches. */
const SETTLE_MS = { minute: 5_000, hour: 60_000, day: 60_000 } as const;

/** How soon it is looked again whether what is held back may be told by now. */
const HELD_MS = 60_000;

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
    const { progress: before } = alert;
    const isNew = before.evaluated_until !== evaluated_until;
    const seen = isNew ? await this.#observe(alert, end, width) : { observations: [], problem: before.problem };
    const to = nextState(alert.settings, before.state, seen.observations);
    const at = new Date(now).toISOString();
    const value = isNew ? (seen.observations.at(-1)?.value ?? null) : before.last_value;
    const bucket = { bucket_start: new Date(end - width).toISOString(), bucket_end: evaluated_until, value };
    const wanted = toNotice(to, before, alert.settings, now);
    const notice = isSilent(alert.settings, now) ? undefined : wanted;
    const recipients = notice ? await this.#deps.alertRouting.listRecipients(alert, notice) : [];
    const told = notice ? toTold(before, notice, recipients, at) : {};
    const state_since = before.state === to ? before.state_since : at;
    const { problem } = seen;
    const progress = { ...before, state: to, state_since, last_value: value, evaluated_until, problem, ...told };
    await this.#deps.transactions.run(async () => {
      // Somebody else was faster, or changed the alert meanwhile and has it looked at anew.
      if (!(await this.#deps.alertStore.advance(alert, progress))) return;
      const change = { id: this.#deps.newId(), alert_id: alert.id, from: before.state, to, at, ...bucket };
      if (before.state !== to) await this.#deps.alertStore.insertTransition(alert, change);
      if (notice) await this.#tell(alert, notice, recipients, { state: to, at, ...bucket });
      const isHeld = wanted !== undefined && notice === undefined;
      await this.#deps.workList.put(work, toNextLook(alert, progress, next, isHeld ? now + HELD_MS : undefined));
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
    if (settings.watches === 'drift') return this.#observeDrift({ project_id, run_id, settings }, watched, end, width);
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

  /** Only what the hourly roll-up holds is judged: else every look would read all records of the reference. */
  async #observeDrift(
    { project_id, run_id, settings }: Pick<StoredAlert, 'project_id' | 'run_id' | 'settings'>,
    watched: Widget,
    end: number,
    width: number,
  ): Promise<{ observations: Observation[]; problem: string | null }> {
    const [plan] = planSeries(watched, { filters: [], minutes: width / 60_000, max_groups: 1 });
    if (!plan?.hours || plan.hours.by_type)
      return { observations: [], problem: 'drift is only watched of series without filters and groups' };
    const windows = { end, width, count: bucketsFor(settings), reference_days: settings.reference_days };
    return { observations: await this.#deps.driftReader.readWindows({ project_id, run_id }, windows, plan.hours), problem: null };
  }

  /** Each recipient has a delivery of its own, which is tried again by itself. */
  async #tell(
    alert: StoredAlert,
    { type, is_reminder }: Notice,
    recipients: readonly Recipient[],
    { at, ...found }: Found,
  ): Promise<void> {
    const { alertStore, workList, newId } = this.#deps;
    const { state, told_state, last_value: previous_value } = alert.progress;
    const data = eventData(alert, { ...found, previous_state: state, told_state, previous_value, is_reminder });
    for (const recipient of recipients) {
      const delivery = { ...newDelivery(newId(), alert.id, { type, timestamp: at, data }), ...recipient };
      await alertStore.insertDelivery(alert, delivery);
      await workList.put({ kind: 'webhook', project_id: alert.project_id, id: delivery.id }, at);
    }
  }
}

const toTold = ({ told_routes }: AlertProgress, notice: Notice, recipients: readonly Recipient[], told_at: string) => ({
  told_state: notice.told_state,
  told_at,
  told_routes: toToldRoutes(told_routes, notice, recipients),
});

/** Findings of an evaluation. */
interface Found {
  readonly state: string;
  readonly at: string;
  readonly bucket_start: string;
  readonly bucket_end: string;
  readonly value: number | null;
}

/** When an alert is looked at next: at the end of its bucket, or earlier where something is to be told. */
function toNextLook(
  { settings }: StoredAlert,
  { state, told_at }: AlertProgress,
  next: string,
  held: number | undefined,
): string {
  const { reminder_minutes } = settings;
  const isOpen = (state === 'firing' || state === 'no_data') && told_at !== null && reminder_minutes !== null;
  const reminder = isOpen && held === undefined ? Date.parse(told_at) + reminder_minutes * 60_000 : undefined;
  const times = [Date.parse(next), held, reminder].filter((time) => time !== undefined);
  return new Date(Math.min(...times)).toISOString();
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
