import type { SavedView } from '../../../core/saved-views/saved-view.ts';
import type { SavedViewStore, ViewChanges } from '../../../core/saved-views/saved-view-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemorySavedViewStore implements SavedViewStore {
  readonly #views: Table<string, SavedView>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#views = database.table();
  }

  async insert(view: SavedView, most: number): Promise<boolean> {
    const own = this.#of(view.project_id).filter(({ created_by }) => created_by === view.created_by);
    if (own.length >= most) return false;
    this.#views.set(view.id, structuredClone(view));
    return true;
  }

  async list(project_id: string, user_id: string): Promise<SavedView[]> {
    return structuredClone(this.#of(project_id).filter((view) => isSeen(view, user_id)));
  }

  async find(project_id: string, id: string, user_id: string): Promise<SavedView | undefined> {
    const view = this.#views.get(id);
    return view?.project_id === project_id && isSeen(view, user_id) ? structuredClone(view) : undefined;
  }

  async update(project_id: string, id: string, changes: ViewChanges): Promise<void> {
    const view = this.#views.get(id);
    if (view?.project_id === project_id) this.#views.set(id, structuredClone({ ...view, ...changes }));
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return this.#views.get(id)?.project_id === project_id && this.#views.delete(id);
  }

  async removePrivateOf(user_id: string): Promise<void> {
    for (const view of [...this.#views.values()]) if (view.created_by === user_id && !view.is_shared) this.#views.delete(view.id);
  }

  /** Of a project that is deleted. */
  removeAll(project_id: string): void {
    for (const { id } of this.#of(project_id)) this.#views.delete(id);
  }

  #of(project_id: string): SavedView[] {
    return [...this.#views.values()].filter((view) => view.project_id === project_id);
  }
}

const isSeen = (view: SavedView, user_id: string): boolean => view.is_shared || view.created_by === user_id;
