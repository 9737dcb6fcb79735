import type { BookmarkPage, BookmarkView } from '../../core/bookmarks/bookmark.ts';
import { get, put, remove } from '../api/client.ts';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';

/** A person has no more of them in a project. */
const MOST = 1000;

/** The caller's own bookmarks in a run, and how one is put or taken. */
export interface Bookmarks {
  /** False while they are not known yet. */
  has(record_id: string): boolean;
  toggle(record_id: string): void;
  readonly error: unknown;
}

/** `ids` names the run as requests do; without it nothing is loaded. */
export function useBookmarks(project_id: string, ids: Readonly<Record<string, string>> | undefined): Bookmarks {
  const path = `/projects/${project_id}/bookmarks`;
  const key = `bookmarks ${project_id} ${JSON.stringify(ids ?? {})}`;
  const loaded = useLoaded(key, async (signal) => {
    const page = ids && (await get<BookmarkPage>(path, { query: { ...ids, mine: true, limit: MOST }, signal }));
    return new Set(page?.bookmarks.map(({ record_id }) => record_id));
  });
  const has = (id: string): boolean => loaded.value?.has(id) ?? false;
  const { run, error } = useAction(async (id: string) => {
    if (has(id)) await remove(`${path}/${id}`, { query: ids ?? {} });
    else await put<BookmarkView>(`${path}/${id}`, ids);
    loaded.reload();
  });
  return { has, toggle: (id) => void run(id), error: error ?? loaded.error };
}
