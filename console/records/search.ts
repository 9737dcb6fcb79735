import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import { post } from '../api/client.ts';
import { toAllFilters } from './implicit-sessions.ts';
import { type Place, toApiPath, toRunIds } from './level.ts';
import { parseColumnPlace, type ShownRecord } from './shown-record.ts';
import { toTextFilters } from './text-search.ts';
import { isFirstPage, type RecordsView } from './view.ts';

export const PAGE_SIZE = 50;

/** Records in the order of the view, whichever way the page was come to. */
export interface RecordPage {
  readonly records: readonly ShownRecord[];
  readonly hasBefore: boolean;
  readonly hasNext: boolean;
}

type Answer = PageFields & { readonly records: readonly ShownRecord[] };

/** Which records are meant, as searches, counts, exports and deletions take it. */
export const toSearchSelection = (place: Place, view: RecordsView) => ({ ...toRunIds(place), ...toConditions(view) });

/** Conditions alone, without the run that they are for. */
export const toConditions = (view: RecordsView) => ({
  filters: [...toAllFilters(view), ...toTextFilters(view.words, view.isPart)],
  ...(view.tree && { filter_tree: view.tree }),
});

/**
 * One page. The page before a record is found as the one behind it in the opposite order, which is the exact reverse, and
 * turned round.
 */
export async function searchRecords(
  place: Place,
  view: RecordsView,
  columns: readonly string[],
  signal: AbortSignal,
  allow_expensive = false,
): Promise<RecordPage> {
  const backwards = view.before !== undefined;
  const body = {
    ...toSearchSelection(place, view),
    sort: backwards ? { ...view.sort, ascending: !view.sort.ascending } : view.sort,
    limit: PAGE_SIZE,
    previous_last_row_id: view.before ?? view.after,
    truncate_fields: true,
    ...(allow_expensive && { allow_expensive }),
    ...toParts(place, columns),
  };
  const operation = place.level === 'session' ? 'search' : 'partial_search';
  const { records, next_starting_token } = await post<Answer>(`${toApiPath(place)}/${operation}`, body, { signal });
  const more = next_starting_token !== null;
  return backwards
    ? { records: records.toReversed(), hasBefore: more, hasNext: true }
    : { records, hasBefore: !isFirstPage(view), hasNext: more };
}

/** Columns that are of this table alone, so that no search knows them by name. */
export const OWN_COLUMNS: ReadonlySet<string> = new Set(['num_traces', 'num_spans', 'ratings']);

/** Parts of records that a search requests for these columns; sessions come whole. */
function toParts({ level }: Place, columns: readonly string[]) {
  if (level === 'session') return { include_counts: true };
  const withModels = level === 'trace' && columns.includes('model');
  const asked = columns.filter((id) => !OWN_COLUMNS.has(id) && parseColumnPlace(id)?.place !== 'metrics');
  const always = ['name', 'created_at', 'is_complete', ...(level === 'span' ? ['trace_id'] : [])];
  return {
    include_counts: columns.includes('num_spans'),
    include_models: withModels,
    select_columns: {
      column_ids: [...new Set([...always, ...asked])],
      include_all_metrics: true,
      include_all_feedback: columns.includes('ratings'),
    },
  };
}

export async function countRecords(
  place: Place,
  view: RecordsView,
  signal: AbortSignal,
  allow_expensive = false,
): Promise<number> {
  const body = { ...toSearchSelection(place, view), ...(allow_expensive && { allow_expensive }) };
  const { total_count } = await post<{ total_count: number }>(`${toApiPath(place)}/count`, body, { signal });
  return total_count;
}

export async function listColumns(place: Place, signal: AbortSignal): Promise<readonly ColumnDescriptor[]> {
  const path = `${toApiPath(place)}/available_columns`;
  const { columns } = await post<{ columns: ColumnDescriptor[] }>(path, toRunIds(place), { signal });
  return columns;
}

export const deleteRecords = (place: Place, ids: readonly string[]): Promise<unknown> =>
  post(`${toApiPath(place)}/delete`, { ...toRunIds(place), filters: [idFilter(ids)] });

export const idFilter = (ids: readonly string[]): RecordFilter => ({
  type: 'id',
  column_id: 'id',
  operator: 'one_of',
  value: [...ids],
});
