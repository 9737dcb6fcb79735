import type { AccessStore } from '../access/access-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { type PageRequest, sliceFor, toPageFields } from '../kernel/query/page.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import type { RunIds } from '../projects/run-ids.ts';
import { recordNotFound } from '../ratings/rating.ts';
import { type BookmarkPage, type BookmarkView, type FoundBookmark, MAX_BOOKMARKS, type NewBookmark } from './bookmark.ts';
import type { BookmarkStore } from './bookmark-store.ts';

export interface BookmarkDeps {
  readonly bookmarkStore: BookmarkStore;
  readonly runDirectory: RunDirectory;
  readonly accessStore: Pick<AccessStore, 'listUsers'>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

export interface BookmarkQuery extends RunIds {
  readonly mine?: boolean | undefined;
}

/** Bookmarks of records: for their owner, or, where they are shared, for all who may read the project. */
export class BookmarkService {
  readonly #deps: BookmarkDeps;

  constructor(deps: BookmarkDeps) {
    this.#deps = deps;
  }

  /** Who may read may put bookmarks for themselves; what others are shown is for those who may annotate. The same again changes nothing. */
  async put(caller: Caller, project_id: string, record_id: string, { is_shared, ...ids }: NewBookmark): Promise<BookmarkView> {
    const { authorizer, bookmarkStore, runDirectory, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, is_shared ? 'record_human_feedback' : 'read');
    const { run_id } = await knownRun(runDirectory, project_id, ids);
    const key = { project_id, run_id, record_id, user_id: caller.user_id };
    const outcome = await bookmarkStore.put({ ...key, is_shared, created_at: clock().toISOString() }, MAX_BOOKMARKS);
    if (outcome === 'full')
      throw new AppError('conflict', 'bookmarks_full', `a user has at most ${MAX_BOOKMARKS} bookmarks in a project`);
    const found = outcome === 'kept' ? await bookmarkStore.find(key) : undefined;
    if (!found) throw recordNotFound(record_id);
    const [view] = await this.#shown(caller, [found]);
    return view!;
  }

  /** Newest first; of the whole project where no run is named. */
  async list(caller: Caller, project_id: string, query: BookmarkQuery, page: PageRequest): Promise<BookmarkPage> {
    const { authorizer, bookmarkStore, runDirectory } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { mine = false, ...ids } = query;
    const isOfRun = Object.values(ids).some((id) => id != null);
    const run_id = isOfRun ? (await knownRun(runDirectory, project_id, ids)).run_id : undefined;
    const selection = { project_id, run_id, user_id: caller.user_id, own_only: mine };
    const found = await bookmarkStore.list(selection, sliceFor(page));
    const bookmarks = await this.#shown(caller, found.slice(0, page.limit));
    return { ...toPageFields(bookmarks.length, found.length > page.limit, page), bookmarks };
  }

  /** One's own. Where there is none, that is no error: then there is none afterwards, too. */
  async delete(caller: Caller, project_id: string, record_id: string, ids: RunIds): Promise<{ message: string }> {
    const { authorizer, bookmarkStore, runDirectory } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(runDirectory, project_id, ids);
    await bookmarkStore.remove({ project_id, run_id, record_id, user_id: caller.user_id });
    return { message: `record ${record_id} has no bookmark of yours` };
  }

  async #shown(caller: Caller, bookmarks: readonly FoundBookmark[]): Promise<BookmarkView[]> {
    const ids = new Set(bookmarks.map(({ user_id }) => user_id));
    const users = ids.size > 0 ? await this.#deps.accessStore.listUsers([...ids]) : [];
    const byId = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    return bookmarks.map(({ user_id, ...bookmark }) => ({
      ...bookmark,
      is_mine: user_id === caller.user_id,
      user: byId.get(user_id) ?? null,
    }));
  }
}
