import type { SealedSecrets } from '../../../core/integrations/secret-box.ts';
import type { RouteSettings, StoredRoute } from '../../../core/trends/routing/notification-route.ts';
import type { NotificationRouteStore } from '../../../core/trends/routing/notification-route-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';
import { oldestFirst } from '../traces/time-order.ts';

interface Row {
  readonly route: StoredRoute;
  readonly secrets: SealedSecrets;
}

export class MemoryNotificationRouteStore implements NotificationRouteStore {
  readonly #rows: Table<string, Row>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#rows = database.table();
  }

  async insert(route: StoredRoute, secrets: SealedSecrets): Promise<void> {
    this.#rows.set(route.id, structuredClone({ route, secrets }));
  }

  async find(project_id: string, id: string): Promise<StoredRoute | undefined> {
    return structuredClone(this.#row(project_id, id)?.route);
  }

  async list(project_id: string): Promise<StoredRoute[]> {
    const own = [...this.#rows.values()].filter(({ route }) => route.project_id === project_id);
    const dated = own.map(({ route }) => ({ id: route.id, created_at: route.settings.created_at, route }));
    return structuredClone(oldestFirst(dated).map(({ route }) => route));
  }

  async update(project_id: string, id: string, settings: RouteSettings): Promise<StoredRoute | undefined> {
    const row = this.#row(project_id, id);
    if (row) this.#rows.set(id, structuredClone({ ...row, route: { ...row.route, settings } }));
    return this.find(project_id, id);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return this.#row(project_id, id) !== undefined && this.#rows.delete(id);
  }

  /** Of a project that is deleted. */
  removeAll(project_id: string): void {
    for (const [id, { route }] of this.#rows) if (route.project_id === project_id) this.#rows.delete(id);
  }

  async findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined> {
    return structuredClone(this.#row(project_id, id)?.secrets);
  }

  async changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void> {
    const row = this.#row(project_id, id);
    if (row) this.#rows.set(id, structuredClone({ ...row, secrets: change(structuredClone(row.secrets)) }));
  }

  async keyIds(): Promise<string[]> {
    return [...new Set([...this.#rows.values()].map(({ secrets }) => secrets.key_id))];
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<{ id: string; secrets: SealedSecrets }[]> {
    const others = [...this.#rows].filter(([, { secrets }]) => secrets.key_id !== key_id).slice(0, limit);
    return structuredClone(others.map(([id, { secrets }]) => ({ id, secrets })));
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    const row = this.#rows.get(id);
    if (row?.secrets.key === read.key) this.#rows.set(id, structuredClone({ ...row, secrets }));
  }

  #row(project_id: string, id: string): Row | undefined {
    const row = this.#rows.get(id);
    return row?.route.project_id === project_id ? row : undefined;
  }
}
