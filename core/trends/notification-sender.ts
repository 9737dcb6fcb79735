import { withDeadline } from '../kernel/deadline.ts';
import { FairRunner } from '../kernel/fairness/fair-runner.ts';
import type { Clock } from '../kernel/ports.ts';
import type { RetryClock } from '../models/retry-policy.ts';
import { type Notification, type NotificationChannel, PluginError } from '../plugin-sdk/index.ts';
import type { StoredAlert } from './alert.ts';
import type { AlertStore } from './alert-store.ts';
import type { ChannelOpener } from './channel-opener.ts';
import { toNotification, toRouteTest } from './notification-text.ts';
import type { NotificationRouteTrial, StoredRoute } from './routing/notification-route.ts';
import type { NotificationRouteStore } from './routing/notification-route-store.ts';
import type { WebhookDelivery } from './webhook.ts';
import type { DueWork, WorkList } from './work-list.ts';

export interface NotificationSenderDeps {
  readonly alertStore: AlertStore;
  readonly notificationRouteStore: NotificationRouteStore;
  readonly workList: WorkList;
  readonly channelOpener: ChannelOpener;
  /** Where the console is. */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly retryClock: Pick<RetryClock, 'random'>;
}

const CALL_MS = 10_000;
/** Longer than a call takes. */
const LEASE_MS = 60_000;
/** How long to wait after each failure; a notification that fails once more is given up. */
const RETRY_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600];
const MAX_PAUSE_SECONDS = 21_600;
/** By how much of itself a wait is made longer at most, so that what failed together does not come back together. */
const JITTER = 0.2;
/** Deliveries at once in one process, and how many of them may be of one project. */
const SHARE = { slots: 8, perKey: 2 };
const NEVER = new AbortController().signal;

type Outcome = Pick<WebhookDelivery, 'response_status' | 'error'> & { readonly pause: number };
const ROUTE_GONE: Outcome = { response_status: null, error: 'the route was deleted', pause: 0 };

/** Tells of alerts by their channels, again until the upstream service has taken it or it is given up. The same one may come twice, with the same id. */
export class NotificationSender {
  readonly #deps: NotificationSenderDeps;
  readonly #runner: FairRunner;

  constructor(deps: NotificationSenderDeps) {
    this.#deps = deps;
    this.#runner = new FairRunner(SHARE, () => deps.clock().getTime());
  }

  /**
   * Sends all that is due and comes due meanwhile, side by side and for projects in turns, until nothing is left or the signal is
   * aborted. A channel that hangs holds up nothing but what else its project sends.
   */
  async run(signal = NEVER): Promise<void> {
    const { workList, clock } = this.#deps;
    const owners = () => workList.dueProjects('webhook', clock().toISOString());
    const take = async (project_id: string) => {
      const now = clock();
      const until = new Date(now.getTime() + LEASE_MS).toISOString();
      const work = await workList.claim('webhook', now.toISOString(), until, project_id);
      return work && (() => this.#send(work));
    };
    await this.#runner.run({ owners, take }, signal);
  }

  async #send(work: DueWork): Promise<void> {
    const delivery = await this.#deps.alertStore.findDelivery(work.project_id, work.id);
    const alert = delivery && (await this.#deps.alertStore.find(work.project_id, delivery.alert_id));
    if (!delivery || !alert || delivery.status !== 'pending') await this.#deps.workList.remove(work);
    else await this.#settle(work, await this.attempt(alert, delivery));
  }

  /** Tells once and writes down what came of it: a test is not repeated. */
  async attempt(alert: StoredAlert, delivery: WebhookDelivery): Promise<WebhookDelivery> {
    const { route_id, event } = delivery;
    const route = route_id === null ? null : await this.#deps.notificationRouteStore.find(alert.project_id, route_id);
    const { pause, ...outcome } = await this.#callFor(alert, route, delivery);
    const isTaken = outcome.error === null;
    const attempts = delivery.attempts + 1;
    const now = this.#deps.clock();
    const isLast = event.type === 'alert.test' || route === undefined;
    const own = isLast ? undefined : RETRY_SECONDS[attempts - 1];
    const wait = Math.max(own ?? 0, Math.min(pause, MAX_PAUSE_SECONDS)) * (1 + JITTER * this.#deps.retryClock.random());
    const next_attempt_at = isTaken || own === undefined ? null : new Date(now.getTime() + wait * 1000).toISOString();
    const status = isTaken ? 'delivered' : next_attempt_at === null ? 'failed' : 'pending';
    const facts = { status, attempts, last_attempt_at: now.toISOString(), next_attempt_at } as const;
    const settled: WebhookDelivery = { ...delivery, ...outcome, ...facts };
    await this.#deps.alertStore.updateDelivery(alert.project_id, settled);
    return settled;
  }

  #settle(work: DueWork, { next_attempt_at }: WebhookDelivery): Promise<void> {
    return next_attempt_at === null ? this.#deps.workList.remove(work) : this.#deps.workList.put(work, next_attempt_at);
  }

  /** Sends a test by a route, once. Nothing is written down: it is of no alert. */
  async tryRoute(id: string, route: StoredRoute): Promise<NotificationRouteTrial> {
    const { publicUrl, clock, channelOpener } = this.#deps;
    const notification = toRouteTest(id, clock().toISOString(), route, publicUrl);
    const { pause: _pause, ...outcome } = await this.#call(notification, () => channelOpener.openRoute(route));
    return { status: outcome.error === null ? 'delivered' : 'failed', ...outcome };
  }

  /** `route`: null for the channel of the alert, undefined where it was deleted meanwhile. */
  async #callFor(alert: StoredAlert, route: StoredRoute | null | undefined, { id, event }: WebhookDelivery): Promise<Outcome> {
    if (route === undefined) return ROUTE_GONE;
    const { channelOpener, publicUrl } = this.#deps;
    const open = () => (route === null ? channelOpener.open(alert) : channelOpener.openRoute(route));
    return this.#call(toNotification(id, event, publicUrl), open);
  }

  /** Nothing of what the upstream service says is kept but its status, and the delay that it requests. */
  async #call(notification: Notification, open: () => Promise<NotificationChannel>): Promise<Outcome> {
    try {
      const channel = await open();
      const receipt = await withDeadline({ ms: CALL_MS }, (signal) => channel.send(notification, signal));
      return { response_status: receipt?.status ?? null, error: null, pause: 0 };
    } catch (error) {
      const { status, retry_after_seconds } = error instanceof PluginError ? error : {};
      return { response_status: status ?? null, error: wordsFor(error), pause: retry_after_seconds ?? 0 };
    }
  }
}

const wordsFor = (error: unknown): string => {
  if (error instanceof PluginError) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'the URL did not respond in time' : 'the call failed';
};
