import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { atLeast, type CollaboratorRole } from '../access/role.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import {
  type Alert,
  type AlertTransition,
  type AlertUpdate,
  type AlertWithSecret,
  atFirst,
  type NewAlert,
  type StoredAlert,
} from './alert.ts';
import { type AlertChannel, askedChannel, type ChannelFields, NO_CHANNEL, webhookUrlOf } from './alert-channel.ts';
import type { AcceptedChannel, AlertChannels, NotificationChannelView } from './alert-channels.ts';
import type { AlertStore } from './alert-store.ts';
import { widgetIn } from './dashboard.ts';
import type { Dashboards, LogStreamKey } from './dashboards.ts';
import type { NotificationSender } from './notification-sender.ts';
import { eventData, newDelivery, type WebhookDelivery, type WebhookSigner } from './webhook.ts';
import type { WorkList } from './work-list.ts';

export interface AlertDeps {
  readonly alertStore: AlertStore;
  readonly workList: WorkList;
  readonly dashboards: Dashboards;
  readonly alertChannels: AlertChannels;
  readonly notificationSender: NotificationSender;
  readonly webhookSigner: WebhookSigner;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

const MAX_ALERTS = 100;

/** Alerts on widgets: what is watched, who is told, and what came of it. */
export class AlertService {
  readonly #deps: AlertDeps;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
  }

  async createAlert(caller: Caller, key: LogStreamKey, input: NewAlert): Promise<AlertWithSecret> {
    const { alertStore, dashboards, newId } = this.#deps;
    await dashboards.authorize(caller, key, 'edit_alert');
    requireWholeHours(input);
    widgetIn(await dashboards.of(key), input.widget_id);
    if ((await alertStore.list(key.project_id, key.log_stream_id)).length >= MAX_ALERTS)
      throw new AppError('invalid', 'too_many_alerts', `a log stream has at most ${MAX_ALERTS} alerts`);
    const { webhook_url, channel, channel_settings, ...watched } = input;
    const accepted = await this.#accepted({ webhook_url, channel, channel_settings }, NO_CHANNEL);
    const now = this.#now();
    const id = newId();
    const webhook_secret = this.#deps.webhookSigner.newSecret();
    const { secrets, ...own } = this.#deps.alertChannels.seal(id, webhook_secret, accepted ?? null);
    const settings = { ...watched, ...own, created_by: caller.user_id, created_at: now, updated_at: now };
    const alert: StoredAlert = { project_id: key.project_id, run_id: key.log_stream_id, id, settings, progress: atFirst(now) };
    await this.#deps.transactions.run(async () => {
      await alertStore.insert(alert, secrets);
      await this.#deps.workList.put(toWorkItem(alert), now);
      await this.#note(caller, 'create', alert);
    });
    return { alert: shown(alert, 'owner'), webhook_secret };
  }

  /** The ways to tell people of alerts that are installed. */
  async listChannels(): Promise<{ channels: NotificationChannelView[] }> {
    return { channels: this.#deps.alertChannels.list() };
  }

  async listAlerts(caller: Caller, key: LogStreamKey): Promise<{ alerts: Alert[] }> {
    const role = await this.#authorizeRead(caller, key);
    const alerts = await this.#deps.alertStore.list(key.project_id, key.log_stream_id);
    return { alerts: alerts.map((alert) => shown(alert, role)) };
  }

  async getAlert(caller: Caller, key: LogStreamKey, id: string): Promise<Alert> {
    const role = await this.#authorizeRead(caller, key);
    return shown(await this.#found(key, id), role);
  }

  /** Updates an alert. Its earlier findings are dropped when its condition changes. */
  async updateAlert(caller: Caller, key: LogStreamKey, id: string, update: AlertUpdate): Promise<Alert> {
    const { alertStore, dashboards, workList, transactions } = this.#deps;
    await dashboards.authorize(caller, key, 'edit_alert');
    const before = await this.#found(key, id);
    const { webhook_url, channel, channel_settings, ...watched } = update;
    const accepted = await this.#accepted({ webhook_url, channel, channel_settings }, before.settings);
    const now = this.#now();
    const given = Object.fromEntries(Object.entries(watched).filter(([, value]) => value !== undefined));
    const own = accepted === undefined ? {} : this.#deps.alertChannels.shown(accepted);
    const settings = { ...before.settings, ...given, ...own, updated_at: now };
    requireWholeHours(settings);
    const isOther = Object.keys(given).some((name) => !TELLING.has(name));
    const changed = await transactions.run(async () => {
      const alert = await alertStore.update(key.project_id, id, settings, isOther ? atFirst(now) : undefined);
      if (!alert) throw alertNotFound(id);
      if (accepted !== undefined)
        await alertStore.changeSecrets(key.project_id, id, (read) => this.#deps.alertChannels.resealed(id, read, accepted));
      await workList.put(toWorkItem(alert), now);
      await this.#note(caller, 'update', alert);
      return alert;
    });
    return shown(changed, 'owner');
  }

  async deleteAlert(caller: Caller, key: LogStreamKey, id: string): Promise<void> {
    const { alertStore, dashboards, workList, transactions } = this.#deps;
    await dashboards.authorize(caller, key, 'edit_alert');
    const alert = await this.#found(key, id);
    await transactions.run(async () => {
      if (!(await alertStore.remove(key.project_id, id))) throw alertNotFound(id);
      await workList.remove(toWorkItem(alert));
      await this.#note(caller, 'delete', alert);
    });
  }

  /** Renews the secret by which later events are signed. */
  async renewSecret(caller: Caller, key: LogStreamKey, id: string): Promise<{ webhook_secret: string }> {
    await this.#deps.dashboards.authorize(caller, key, 'edit_alert');
    const alert = await this.#found(key, id);
    const webhook_secret = this.#deps.webhookSigner.newSecret();
    await this.#deps.transactions.run(async () => {
      const { alertStore, alertChannels } = this.#deps;
      await alertStore.changeSecrets(key.project_id, id, (read) => alertChannels.resigned(id, read, webhook_secret));
      await this.#note(caller, 'renew_secret', alert);
    });
    return { webhook_secret };
  }

  /** Sends a notification that says it is a test, once, and returns what came of it. */
  async testAlert(caller: Caller, key: LogStreamKey, id: string): Promise<WebhookDelivery> {
    await this.#deps.dashboards.authorize(caller, key, 'edit_alert');
    const alert = await this.#found(key, id);
    if (alert.settings.channel === null)
      throw new AppError('invalid', 'webhook_missing', 'the alert has no channel of its own to send a test to');
    const now = this.#now();
    const data = eventData(alert, { state: alert.progress.state, value: alert.progress.last_value });
    const delivery = newDelivery(this.#deps.newId(), id, { type: 'alert.test', timestamp: now, data });
    await this.#deps.alertStore.insertDelivery(alert, delivery);
    return this.#deps.notificationSender.attempt(alert, delivery);
  }

  async listTransitions(
    caller: Caller,
    key: LogStreamKey,
    id: string,
    page: PageRequest,
  ): Promise<PageFields & { transitions: AlertTransition[] }> {
    await this.#authorizeRead(caller, key);
    await this.#found(key, id);
    const { items, page: fields } = toPage(await this.#deps.alertStore.listTransitions(key.project_id, id, sliceFor(page)), page);
    return { ...fields, transitions: items };
  }

  async listDeliveries(
    caller: Caller,
    key: LogStreamKey,
    id: string,
    page: PageRequest,
  ): Promise<PageFields & { deliveries: WebhookDelivery[] }> {
    await this.#authorizeRead(caller, key);
    await this.#found(key, id);
    const { items, page: fields } = toPage(await this.#deps.alertStore.listDeliveries(key.project_id, id, sliceFor(page)), page);
    return { ...fields, deliveries: items };
  }

  async #authorizeRead(caller: Caller, key: LogStreamKey): Promise<CollaboratorRole> {
    await this.#deps.dashboards.authorize(caller, key, 'read');
    return this.#deps.authorizer.authorize(caller, 'project', key.project_id, 'read');
  }

  async #found({ project_id, log_stream_id }: LogStreamKey, id: string): Promise<StoredAlert> {
    const alert = await this.#deps.alertStore.find(project_id, id);
    if (alert?.run_id !== log_stream_id) throw alertNotFound(id);
    return alert;
  }

  /** The channel that a request names, checked: null for none, undefined for the one that is there. */
  async #accepted(given: ChannelFields, before: AlertChannel): Promise<AcceptedChannel | null | undefined> {
    const asked = askedChannel(given, before);
    return asked ? this.#deps.alertChannels.accept(asked) : asked;
  }

  #note(caller: Caller, verb: string, { project_id, run_id, id, settings }: StoredAlert): Promise<void> {
    const details = { log_stream_id: run_id, alert_id: id, name: settings.name };
    return this.#deps.auditTrail.note(caller, {
      action: `alert.${verb}`,
      object_kind: 'project',
      object_id: project_id,
      details,
    });
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

/** Settings that say how an alert tells, not what it watches. */
const TELLING: ReadonlySet<string> = new Set(['name', 'severity', 'quiet_hours', 'muted_until', 'reminder_minutes']);

/** The hourly roll-up is what drift is read from. */
function requireWholeHours({ watches, interval }: Pick<NewAlert, 'watches' | 'interval'>): void {
  if (watches === 'drift' && interval === 'minute')
    throw new AppError('invalid', 'drift_by_minutes', 'drift is only watched by the hour or the day');
}

const toWorkItem = ({ project_id, id }: StoredAlert) => ({ kind: 'alert', project_id, id }) as const;

const alertNotFound = (id: string): AppError => new AppError('not_found', 'alert_not_found', `alert ${id} does not exist`);

function shown({ project_id, run_id, id, settings, progress }: StoredAlert, role: CollaboratorRole): Alert {
  const url = webhookUrlOf(settings);
  const { told_routes: _routes, ...found } = progress;
  const facts = { ...settings, ...found, id, project_id, log_stream_id: run_id };
  if (!atLeast(role, 'editor'))
    return { ...facts, webhook_url: url === null ? null : new URL(url).origin, channel_settings: null };
  return { ...facts, webhook_url: url, channel_settings: settings.channel === null ? null : settings.channel_settings };
}
