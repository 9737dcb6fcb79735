import type { Outbound } from '../integrations/outbound.ts';
import type { SecretBox } from '../integrations/secret-box.ts';
import type { Clock } from '../kernel/ports.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import type { StoredAlert } from './alert.ts';
import type { AlertStore } from './alert-store.ts';
import type { WebhookDelivery, WebhookSigner } from './webhook.ts';
import type { DueWork, WorkList } from './work-list.ts';

export interface WebhookSenderDeps {
  readonly alertStore: AlertStore;
  readonly workList: WorkList;
  readonly webhookSigner: WebhookSigner;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

const CALL_MS = 10_000;
/** Longer than a call takes. */
const LEASE_MS = 60_000;
/** How long to wait after each failure; a webhook that fails once more is given up. */
const RETRY_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600];

/** Sends webhooks until they are taken or given up. The same one may come twice, with the same id. */
export class WebhookSender {
  readonly #deps: WebhookSenderDeps;

  constructor(deps: WebhookSenderDeps) {
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

  /** Calls the address once and writes down what came of it: a test is not repeated. */
  async attempt(alert: StoredAlert, delivery: WebhookDelivery): Promise<WebhookDelivery> {
    const answer = await this.#call(alert, delivery);
    const isTaken = answer.error === null;
    const attempts = delivery.attempts + 1;
    const now = this.#deps.clock();
    const wait = delivery.event.type === 'alert.test' ? undefined : RETRY_SECONDS[attempts - 1];
    const next_attempt_at = isTaken || wait === undefined ? null : new Date(now.getTime() + wait * 1000).toISOString();
    const status = isTaken ? 'delivered' : next_attempt_at === null ? 'failed' : 'pending';
    const facts = { status, attempts, last_attempt_at: now.toISOString(), next_attempt_at } as const;
    const settled: WebhookDelivery = { ...delivery, ...answer, ...facts };
    await this.#deps.alertStore.updateDelivery(alert.project_id, settled);
    return settled;
  }

  #settle(work: DueWork, { next_attempt_at }: WebhookDelivery): Promise<void> {
    return next_attempt_at === null ? this.#deps.workList.remove(work) : this.#deps.workList.put(work, next_attempt_at);
  }

  /** Nothing of what the upstream service says is kept but its status. */
  async #call(alert: StoredAlert, { id, event }: WebhookDelivery): Promise<Pick<WebhookDelivery, 'response_status' | 'error'>> {
    const { webhook_url } = alert.settings;
    if (webhook_url === null) return { response_status: null, error: 'the alert has no webhook_url any more' };
    const body = JSON.stringify(event);
    try {
      const headers = await this.#headers(alert, id, body);
      const signal = AbortSignal.timeout(CALL_MS);
      const answer = await this.#deps.outbound.fetch(webhook_url, { method: 'POST', headers, body, signal });
      await answer.body?.cancel();
      return { response_status: answer.status, error: answer.ok ? null : `the address answered ${answer.status}` };
    } catch (error) {
      return { response_status: null, error: wordsFor(error) };
    }
  }

  async #headers({ project_id, id: alert_id }: StoredAlert, id: string, body: string): Promise<Record<string, string>> {
    const sealed = await this.#deps.alertStore.findSecrets(project_id, alert_id);
    const [secret] = sealed ? this.#deps.secretBox.open(alert_id, sealed) : [];
    const timestamp = Math.floor(this.#deps.clock().getTime() / 1000);
    return {
      'content-type': 'application/json',
      'user-agent': 'touchstone',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': this.#deps.webhookSigner.sign(secret?.text ?? '', id, timestamp, body),
    };
  }
}

const wordsFor = (error: unknown): string => {
  if (error instanceof PluginError) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'the address did not answer in time' : 'the call failed';
};
