import type { FilterTree, RecordFilter } from '../../core/traces/record-query.ts';
import type { ViewChanges } from '../kit/location.ts';
import { type Level, levelNamed } from './level.ts';

export interface Sort {
  readonly column_id: string;
  readonly ascending: boolean;
}

/** State of a view of a log stream, as the address bar holds it. */
export interface RecordsView {
  readonly level: Level;
  /** Chosen columns; undefined leaves them to `defaultColumns`. */
  readonly columns: readonly string[] | undefined;
  readonly sort: Sort;
  readonly filters: readonly RecordFilter[];
  /** Conditions that are joined otherwise than by "and", and hold beside the filters. */
  readonly tree: FilterTree | undefined;
  /** Words that all have to stand in a record. */
  readonly words: string;
  /** Whether parts of words are enough. */
  readonly isPart: boolean;
  /** The page behind this record, or the one before it; neither is the first page. */
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly live: boolean;
  readonly tall: boolean;
  /** Whether sessions are listed with those that traces are by themselves. */
  readonly showsImplicit: boolean;
  /** Whether values are counted at the side. */
  readonly facets: boolean;
  /** Parts of the address that make no sense, and are left out. */
  readonly unreadable: readonly string[];
}

export const NEWEST_FIRST: Sort = { column_id: 'created_at', ascending: false };

/** Changes that turn back to the first page: another order or selection has other pages. */
export const FIRST_PAGE: ViewChanges = { after: undefined, before: undefined };

export function readView(params: URLSearchParams): RecordsView {
  const filters = parsed(params.get('filters'), isFilter);
  const tree = parsed(params.has('tree') ? `[${params.get('tree')}]` : null, isTree)?.[0];
  const columns = parsed(params.get('columns'), (one) => typeof one === 'string');
  return {
    level: levelNamed(params.get('level')),
    columns: columns as readonly string[] | undefined,
    sort: sortNamed(params.get('sort')),
    filters: (filters ?? []) as readonly RecordFilter[],
    tree: tree as FilterTree | undefined,
    words: params.get('words') ?? '',
    isPart: params.get('match') === 'part',
    after: params.get('after') ?? undefined,
    before: params.get('before') ?? undefined,
    live: params.get('live') !== 'off',
    tall: params.get('rows') === 'tall',
    showsImplicit: params.get('implicit') === 'shown',
    facets: params.get('facets') === 'on',
    unreadable: [
      ...(params.has('filters') && !filters ? ['filters'] : []),
      ...(params.has('tree') && !tree ? ['tree'] : []),
      ...(params.has('columns') && !columns ? ['columns'] : []),
    ],
  };
}

export const filterChanges = (filters: readonly RecordFilter[]): ViewChanges => ({
  ...FIRST_PAGE,
  filters: filters.length === 0 ? undefined : JSON.stringify(filters),
});

export const implicitChanges = (isShown: boolean): ViewChanges => ({ ...FIRST_PAGE, implicit: isShown ? 'shown' : undefined });

export const TREE_REMOVED: ViewChanges = { ...FIRST_PAGE, tree: undefined };

export const columnChanges = (columns: readonly string[] | undefined): ViewChanges => ({
  columns: columns && JSON.stringify(columns),
});

export const sortChanges = ({ column_id, ascending }: Sort): ViewChanges => {
  const isUsual = column_id === NEWEST_FIRST.column_id && ascending === NEWEST_FIRST.ascending;
  return { ...FIRST_PAGE, sort: isUsual ? undefined : `${ascending ? '' : '-'}${column_id}` };
};

export const isFirstPage = ({ after, before }: RecordsView): boolean => after === undefined && before === undefined;

export const isNewestFirst = ({ sort }: RecordsView): boolean => sort.column_id === 'created_at' && !sort.ascending;

export const isSelective = ({ filters, tree, words }: RecordsView): boolean =>
  filters.length > 0 || tree !== undefined || words.trim() !== '';

/** As `-created_at`: the dash puts the greatest first. */
function sortNamed(text: string | null): Sort {
  if (!text) return NEWEST_FIRST;
  return text.startsWith('-') ? { column_id: text.slice(1), ascending: false } : { column_id: text, ascending: true };
}

/** The service says of a condition that it does not take what is wrong with it. */
const isTree = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && ['filter', 'and', 'or', 'not'].some((word) => Object.hasOwn(one, word));

/** A JSON list of what `fits`; undefined for anything else. */
function parsed(text: string | null, fits: (one: unknown) => boolean): readonly unknown[] | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(fits) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Enough to be shown; whether it is a filter that the column takes is for the API to say. */
function isFilter(one: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false;
  const { column_id, operator, type } = one as Record<string, unknown>;
  return [column_id, operator, type].every((part) => typeof part === 'string') && 'value' in one;
}
