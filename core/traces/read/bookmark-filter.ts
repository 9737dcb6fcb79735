import type { Caller } from '../../access/caller.ts';
import type { BookmarkStore } from '../../bookmarks/bookmark-store.ts';
import { type FilterTree, IS_BOOKMARKED, type RecordCount, type RecordFilter } from '../record-query.ts';

type Conditions = Pick<RecordCount, 'filters'> & { readonly filter_tree?: RecordCount['filter_tree'] };

export interface BookmarkFilterDeps {
  readonly bookmarkStore: Pick<BookmarkStore, 'recordIds'>;
}

/** The conditions of a request with the caller's bookmarks in the run in place of `is_bookmarked`. */
export async function withBookmarks<T extends Conditions>(
  { bookmarkStore }: BookmarkFilterDeps,
  caller: Caller,
  project_id: string,
  run_id: string,
  body: T,
): Promise<T> {
  if (!body.filters.some(isOnBookmarks) && !(body.filter_tree && asksForBookmarks(body.filter_tree))) return body;
  return bindBookmarks(body, await bookmarkStore.recordIds(project_id, run_id, caller.user_id));
}

/** The conditions with filters on these ids in place of `is_bookmarked`. */
export const bindBookmarks = <T extends Conditions>(body: T, ids: readonly string[]): T => ({
  ...body,
  filters: body.filters.map((filter) => toIdFilter(filter, ids)),
  ...(body.filter_tree && { filter_tree: toIdTree(body.filter_tree, ids) }),
});

const isOnBookmarks = ({ column_id }: RecordFilter): boolean => column_id === IS_BOOKMARKED;

function asksForBookmarks(tree: FilterTree): boolean {
  if ('filter' in tree) return isOnBookmarks(tree.filter);
  if ('not' in tree) return asksForBookmarks(tree.not);
  return ('and' in tree ? tree.and : tree.or).some(asksForBookmarks);
}

function toIdTree(tree: FilterTree, ids: readonly string[]): FilterTree {
  if ('filter' in tree) return { filter: toIdFilter(tree.filter, ids) };
  if ('not' in tree) return { not: toIdTree(tree.not, ids) };
  const below = (nodes: readonly FilterTree[]): FilterTree[] => nodes.map((node) => toIdTree(node, ids));
  return 'and' in tree ? { and: below(tree.and) } : { or: below(tree.or) };
}

/** One of another type stays, and is refused with its place where filters are checked. */
function toIdFilter(filter: RecordFilter, ids: readonly string[]): RecordFilter {
  if (!isOnBookmarks(filter) || filter.type !== 'boolean') return filter;
  const isWanted = filter.value === (filter.operator === 'eq');
  return { type: 'id', column_id: 'id', operator: isWanted ? 'one_of' : 'not_in', value: [...ids] };
}
