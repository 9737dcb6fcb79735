import type { SealedSecrets } from '../../../core/integrations/secret-box.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { AlertProgress, AlertSettings, AlertTransition, StoredAlert } from '../../../core/trends/alert.ts';
import { type AlertStore, KEPT_HISTORY } from '../../../core/trends/alert-store.ts';
import type { WebhookDelivery } from '../../../core/trends/webhook.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { oldestFirst } from '../traces/time-order.ts';

interface Kept<T> {
  readonly project_id: string;
  readonly value: T;
}

export class MemoryAlertStore implements AlertStore {
  readonly #alerts: Table<string, StoredAlert>;
  readonly #secrets: Table<string, SealedSecrets>;
  readonly #transitions: Cell<readonly Kept<AlertTransition>[]>;
  readonly #deliveries: Cell<readonly Kept<WebhookDelivery>[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#alerts = database.table();
    this.#secrets = database.table();
    this.#transitions = database.cell([]);
    this.#deliveries = database.cell([]);
  }

  async insert(alert: StoredAlert, secrets: SealedSecrets): Promise<void> {
    this.#alerts.set(alert.id, structuredClone(alert));
    this.#secrets.set(alert.id, structuredClone(secrets));
  }

  async find(project_id: string, id: string): Promise<StoredAlert | undefined> {
    const alert = this.#alerts.get(id);
    return alert?.project_id === project_id ? structuredClone(alert) : undefined;
  }

  async list(project_id: string, run_id: string): Promise<StoredAlert[]> {
    const own = [...this.#alerts.values()].filter((one) => one.project_id === project_id && one.run_id === run_id);
    const dated = own.map((alert) => ({ id: alert.id, created_at: alert.settings.created_at, alert }));
    return structuredClone(oldestFirst(dated).map(({ alert }) => alert));
  }

  async update(
    project_id: string,
    id: string,
    settings: AlertSettings,
    progress?: AlertProgress,
  ): Promise<StoredAlert | undefined> {
    const alert = await this.find(project_id, id);
    if (!alert) return undefined;
    this.#alerts.set(id, structuredClone({ ...alert, settings, progress: progress ?? alert.progress }));
    return this.find(project_id, id);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    if (!(await this.find(project_id, id))) return false;
    this.#transitions.value = this.#transitions.value.filter(({ value }) => value.alert_id !== id);
    this.#deliveries.value = this.#deliveries.value.filter(({ value }) => value.alert_id !== id);
    this.#secrets.delete(id);
    return this.#alerts.delete(id);
  }

  async advance(before: StoredAlert, progress: AlertProgress): Promise<boolean> {
    const alert = this.#alerts.get(before.id);
    const isSame =
      alert?.progress.evaluated_until === before.progress.evaluated_until &&
      alert.settings.updated_at === before.settings.updated_at;
    if (!isSame) return false;
    this.#alerts.set(before.id, structuredClone({ ...alert, progress }));
    return true;
  }

  async findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined> {
    return (await this.find(project_id, id)) && structuredClone(this.#secrets.get(id));
  }

  async changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void> {
    const read = this.#alerts.get(id)?.project_id === project_id ? this.#secrets.get(id) : undefined;
    if (read) this.#secrets.set(id, structuredClone(change(structuredClone(read))));
  }

  async insertTransition({ project_id }: StoredAlert, transition: AlertTransition): Promise<void> {
    this.#transitions.value = withNewest(this.#transitions.value, { project_id, value: structuredClone(transition) });
  }

  async listTransitions(project_id: string, alert_id: string, slice: Slice): Promise<AlertTransition[]> {
    return listed(this.#transitions.value, project_id, alert_id, slice);
  }

  async insertDelivery({ project_id }: StoredAlert, delivery: WebhookDelivery): Promise<void> {
    this.#deliveries.value = withNewest(this.#deliveries.value, { project_id, value: structuredClone(delivery) });
  }

  async findDelivery(project_id: string, id: string): Promise<WebhookDelivery | undefined> {
    const found = this.#deliveries.value.find((one) => one.project_id === project_id && one.value.id === id);
    return structuredClone(found?.value);
  }

  async updateDelivery(project_id: string, delivery: WebhookDelivery): Promise<void> {
    this.#deliveries.value = this.#deliveries.value.map((one) =>
      one.project_id === project_id && one.value.id === delivery.id ? { project_id, value: structuredClone(delivery) } : one,
    );
  }

  async listDeliveries(project_id: string, alert_id: string, slice: Slice): Promise<WebhookDelivery[]> {
    return listed(this.#deliveries.value, project_id, alert_id, slice);
  }

  async keyIds(): Promise<string[]> {
    return [...new Set([...this.#secrets.values()].map(({ key_id }) => key_id))];
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<{ id: string; secrets: SealedSecrets }[]> {
    const others = [...this.#secrets].filter(([, secrets]) => secrets.key_id !== key_id).slice(0, limit);
    return structuredClone(others.map(([id, secrets]) => ({ id, secrets })));
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    if (this.#secrets.get(id)?.key === read.key) this.#secrets.set(id, structuredClone(secrets));
  }
}

function withNewest<T extends { readonly alert_id: string }>(kept: readonly Kept<T>[], newest: Kept<T>): Kept<T>[] {
  const isOwn = ({ value }: Kept<T>): boolean => value.alert_id === newest.value.alert_id;
  const own = [newest, ...kept.filter(isOwn)].slice(0, KEPT_HISTORY);
  return [...own, ...kept.filter((one) => !isOwn(one))];
}

function listed<T extends { readonly alert_id: string }>(
  kept: readonly Kept<T>[],
  project_id: string,
  alert_id: string,
  { offset, limit }: Slice,
): T[] {
  const own = kept.filter((one) => one.project_id === project_id && one.value.alert_id === alert_id);
  return structuredClone(own.slice(offset, offset + limit).map(({ value }) => value));
}
