import type { SavedView } from './saved-view.ts';

export type ViewChanges = Partial<Pick<SavedView, 'name' | 'is_shared' | 'state' | 'updated_at'>>;

/** Saved views of projects. They go with their project. */
export interface SavedViewStore {
  /** False, and nothing stored, where the user has `most` of them in the project already. */
  insert(view: SavedView, most: number): Promise<boolean>;
  /** Shared ones and those of the user, in the order in which they were made. */
  list(project_id: string, user_id: string): Promise<SavedView[]>;
  /** Undefined also where the view is another user's own. */
  find(project_id: string, id: string, user_id: string): Promise<SavedView | undefined>;
  update(project_id: string, id: string, changes: ViewChanges): Promise<void>;
  remove(project_id: string, id: string): Promise<boolean>;
  /** In all projects: nobody else could see or remove them. */
  removePrivateOf(user_id: string): Promise<void>;
}
