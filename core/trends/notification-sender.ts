import { withDeadline } from '../kernel/deadline.ts';
import type { Clock } from '../kernel/ports.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import type { StoredAlert } from './alert.ts';
import type { AlertStore } from './alert-store.ts';
import type { ChannelOpener } from './channel-opener.ts';
import { toNotification } from './notice.ts';
import type { WebhookDelivery } from './webhook.ts';
import type { DueWork, WorkList } from './work-list.ts';

export interface NotificationSenderDeps {
  readonly alertStore: AlertStore;
  readonly workList: WorkList;
  readonly channelOpener: ChannelOpener;
  /** Where the console is. */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

const CALL_MS = 10_000;
/** Longer than a call takes. */
const LEASE_MS = 60_000;
/** How long to wait after each failure; a notification that fails once more is given up. */
const RETRY_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600];
const MAX_PAUSE_SECONDS = 21_600;

type Outcome = Pick<WebhookDelivery, 'response_status' | 'error'> & { readonly pause: number };

/** Tells of alerts by their channels, again until the upstream service has taken it or it is given up. The same one may come twice, with the same id. */
export class NotificationSender {
  readonly #deps: NotificationSenderDeps;

  constructor(deps: NotificationSenderDeps) {
    this.#deps = deps;
  }

  /** Sends one that is due. Returns whether there was one. */
  async run(): Promise<boolean> {
    const now = this.#deps.clock();
    const until = new Date(now.getTime() + LEASE_MS).toISOString();
    const work = await this.#deps.workList.claim('webhook', now.toISOString(), until);
    if (!work) return false;
    const delivery = await this.#deps.alertStore.findDelivery(work.project_id, work.id);
    const alert = delivery && (await this.#deps.alertStore.find(work.project_id, delivery.alert_id));
    if (!delivery || !alert || delivery.status !== 'pending') await this.#deps.workList.remove(work);
    else await this.#settle(work, await this.attempt(alert, delivery));
    return true;
  }

  /** Tells once and writes down what came of it: a test is not repeated. */
  async attempt(alert: StoredAlert, delivery: WebhookDelivery): Promise<WebhookDelivery> {
    const { pause, ...outcome } = await this.#call(alert, delivery);
    const isTaken = outcome.error === null;
    const attempts = delivery.attempts + 1;
    const now = this.#deps.clock();
    const own = delivery.event.type === 'alert.test' ? undefined : RETRY_SECONDS[attempts - 1];
    const wait = Math.max(own ?? 0, Math.min(pause, MAX_PAUSE_SECONDS));
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

  /** Nothing of what the upstream service says is kept but its status, and how long it asks to be left alone. */
  async #call(alert: StoredAlert, { id, event }: WebhookDelivery): Promise<Outcome> {
    try {
      const channel = await this.#deps.channelOpener.open(alert);
      const notification = toNotification(id, event, this.#deps.publicUrl);
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
  return error instanceof Error && error.name === 'TimeoutError' ? 'the address did not answer in time' : 'the call failed';
};
