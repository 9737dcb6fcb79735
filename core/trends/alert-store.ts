import type { SealedSecrets } from '../integrations/secret-box.ts';
import type { SealedStore } from '../integrations/secret-rotation.ts';
import type { Slice } from '../kernel/query/page.ts';
import type { AlertProgress, AlertSettings, AlertTransition, StoredAlert } from './alert.ts';
import type { WebhookDelivery } from './webhook.ts';

/** Transitions and deliveries that are kept of each alert, the newest. */
export const KEPT_HISTORY = 200;

/**
 * Alerts of log streams with their states, the secrets of their webhooks, and what was sent. Values handed in or out belong
 * to the caller. Everything of a log stream goes with it.
 */
export interface AlertStore extends SealedStore {
  insert(alert: StoredAlert, secrets: SealedSecrets): Promise<void>;
  find(project_id: string, id: string): Promise<StoredAlert | undefined>;
  /** Oldest first. */
  list(project_id: string, run_id: string): Promise<StoredAlert[]>;
  /** Returns the alert as it is then; undefined when there is none. `progress`: also to be replaced. */
  update(project_id: string, id: string, settings: AlertSettings, progress?: AlertProgress): Promise<StoredAlert | undefined>;
  /** With all that belongs to it. Returns whether there was one. */
  remove(project_id: string, id: string): Promise<boolean>;
  /**
   * Writes down what an evaluation of the alert found, as it was read before. Returns false, and changes nothing, when it is not
   * so any more: evaluated up to another timestamp, or changed by somebody.
   */
  advance(before: StoredAlert, progress: AlertProgress): Promise<boolean>;

  findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined>;
  /** Puts others in their place, made of those that are there: nobody changes them meanwhile. Nothing happens when there are none. */
  changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void>;

  /** Beyond `KEPT_HISTORY` the oldest goes. */
  insertTransition(alert: StoredAlert, transition: AlertTransition): Promise<void>;
  /** Newest first. */
  listTransitions(project_id: string, alert_id: string, slice: Slice): Promise<AlertTransition[]>;

  /** Beyond `KEPT_HISTORY` the oldest goes. */
  insertDelivery(alert: StoredAlert, delivery: WebhookDelivery): Promise<void>;
  findDelivery(project_id: string, id: string): Promise<WebhookDelivery | undefined>;
  /** Nothing happens when it is gone. */
  updateDelivery(project_id: string, delivery: WebhookDelivery): Promise<void>;
  /** Newest first. */
  listDeliveries(project_id: string, alert_id: string, slice: Slice): Promise<WebhookDelivery[]>;
}
