import type { Slice } from '../kernel/query/page.ts';
import type { Bookmark, FoundBookmark } from './bookmark.ts';

/** Bookmarks that are asked for: of a project or of one of its runs, those that a user may see or theirs alone. */
export interface BookmarkSelection {
  readonly project_id: string;
  readonly run_id: string | undefined;
  readonly user_id: string;
  readonly own_only: boolean;
}

export type BookmarkKey = Pick<Bookmark, 'project_id' | 'run_id' | 'record_id' | 'user_id'>;

/** Bookmarks of traces, spans and sessions. They go with what they are on, and with their owner. */
export interface BookmarkStore {
  /**
   * Stores a bookmark; of one that is there already only `is_shared` changes. Stores nothing where the run has no such record or session,
   * or where the user has `most` of them in the project already.
   */
  put(bookmark: Bookmark, most: number): Promise<'kept' | 'record_missing' | 'full'>;
  /** False where there was none. */
  remove(key: BookmarkKey): Promise<boolean>;
  find(key: BookmarkKey): Promise<FoundBookmark | undefined>;
  /** Newest first. */
  list(selection: BookmarkSelection, slice: Slice): Promise<FoundBookmark[]>;
  /** Ids of the records of a run that the user put a bookmark on, in any order. */
  recordIds(project_id: string, run_id: string, user_id: string): Promise<string[]>;
  /** In all projects. */
  removeAllOf(user_id: string): Promise<void>;
}
