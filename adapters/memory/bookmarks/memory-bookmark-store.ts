import type { Bookmark, FoundBookmark } from '../../../core/bookmarks/bookmark.ts';
import type { BookmarkKey, BookmarkSelection, BookmarkStore } from '../../../core/bookmarks/bookmark-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type RecordFacts = Pick<FoundBookmark, 'record_type' | 'trace_id' | 'name'>;

interface MemoryBookmarkDeps {
  readonly database: MemoryDatabase;
  /** Undefined where the run has no such record or session. */
  describe(project_id: string, run_id: string, record_id: string): Promise<RecordFacts | undefined>;
}

const getKey = ({ project_id, run_id, record_id, user_id }: BookmarkKey): string =>
  `${project_id} ${user_id} ${run_id} ${record_id}`;
const getOrder = ({ created_at, record_id, user_id }: Bookmark): string => `${created_at} ${record_id} ${user_id}`;

export class MemoryBookmarkStore implements BookmarkStore {
  readonly #deps: MemoryBookmarkDeps;
  readonly #bookmarks: Table<string, Bookmark>;

  constructor(deps: MemoryBookmarkDeps) {
    this.#deps = deps;
    this.#bookmarks = deps.database.table();
  }

  async put(bookmark: Bookmark, most: number): Promise<'kept' | 'record_missing' | 'full'> {
    const { project_id, run_id, record_id, user_id } = bookmark;
    const key = getKey(bookmark);
    const isThere = (await this.#deps.describe(project_id, run_id, record_id)) !== undefined;
    const before = this.#bookmarks.get(key);
    const others = [...this.#bookmarks.values()].filter((one) => one.project_id === project_id && one.user_id === user_id);
    if (others.length - (before ? 1 : 0) >= most) return 'full';
    if (!isThere) return 'record_missing';
    this.#bookmarks.set(key, { ...bookmark, ...(before && { created_at: before.created_at }) });
    return 'kept';
  }

  async remove(key: BookmarkKey): Promise<boolean> {
    return this.#bookmarks.delete(getKey(key));
  }

  async find(key: BookmarkKey): Promise<FoundBookmark | undefined> {
    const bookmark = this.#bookmarks.get(getKey(key));
    const [found] = bookmark ? await this.#described([bookmark]) : [];
    return found;
  }

  async list(selection: BookmarkSelection, { offset, limit }: Slice): Promise<FoundBookmark[]> {
    const { project_id, run_id, user_id, own_only } = selection;
    const isSeen = (one: Bookmark): boolean => one.user_id === user_id || (one.is_shared && !own_only);
    const seen = [...this.#bookmarks.values()].filter(
      (one) => one.project_id === project_id && (run_id === undefined || one.run_id === run_id) && isSeen(one),
    );
    const newestFirst = seen.sort((a, b) => (getOrder(a) < getOrder(b) ? 1 : -1));
    return this.#described(newestFirst.slice(offset, offset + limit));
  }

  async recordIds(project_id: string, run_id: string, user_id: string): Promise<string[]> {
    const own = [...this.#bookmarks.values()].filter(
      (one) => one.project_id === project_id && one.run_id === run_id && one.user_id === user_id,
    );
    return own.map(({ record_id }) => record_id);
  }

  async removeAllOf(user_id: string): Promise<void> {
    for (const [key, one] of this.#bookmarks) if (one.user_id === user_id) this.#bookmarks.delete(key);
  }

  /** Of some records, of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string, ids?: readonly string[]): void {
    for (const [key, one] of this.#bookmarks) {
      const isOfRun = one.project_id === project_id && (run_id === undefined || one.run_id === run_id);
      if (isOfRun && (ids?.includes(one.record_id) ?? true)) this.#bookmarks.delete(key);
    }
  }

  #described(bookmarks: readonly Bookmark[]): Promise<FoundBookmark[]> {
    return Promise.all(
      bookmarks.map(async (one) => {
        const facts = await this.#deps.describe(one.project_id, one.run_id, one.record_id);
        return { ...one, ...(facts ?? { record_type: 'session', trace_id: null, name: '' }) };
      }),
    );
  }
}
