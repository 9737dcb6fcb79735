import type { ViewChanges } from '../../kit/view-changes.ts';
import type { RecordPage } from '../search.ts';
import { FIRST_PAGE } from '../view.ts';

/** In place of an id: the record at that edge of a page that was just turned to. */
const EDGES = ['first', 'last'] as const;

/** The span of the record before is none of the next one; the part that is shown stays, for whoever compares records. */
export const toOpen = (open: string | undefined): ViewChanges => ({ open, span: undefined });

export const CLOSED: ViewChanges = { ...toOpen(undefined), show: undefined, find: undefined, errors: undefined };

/** Id of the open record; undefined when it is named by the edge of a page without records. */
export function resolveOpen({ records }: RecordPage, open: string): string | undefined {
  if (open === EDGES[0]) return records[0]?.id;
  if (open === EDGES[1]) return records.at(-1)?.id;
  return open;
}

/** Changes that lead to the record before or behind one in the order of the list, over the edge of the page too; undefined where there is none. */
export function toBeside({ records, hasBefore, hasNext }: RecordPage, id: string, by: -1 | 1): ViewChanges | undefined {
  const at = records.findIndex((record) => record.id === id);
  if (at < 0) return undefined;
  const beside = records[at + by];
  if (beside) return toOpen(beside.id);
  if (by === 1) return hasNext ? { ...FIRST_PAGE, ...toOpen(EDGES[0]), after: id } : undefined;
  return hasBefore ? { ...FIRST_PAGE, ...toOpen(EDGES[1]), before: id } : undefined;
}
