import { z } from 'zod';
import { AppError, type Issue } from '../kernel/errors.ts';
import { chosenByKey } from '../kernel/keyed-union.ts';
import { withDefault } from '../kernel/optional.ts';
import { limitInBody } from '../kernel/query/page.ts';
import { Id, isCleanText } from '../kernel/text.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import { runIdFields } from '../projects/run-ids.ts';
import { PROMPT_FIELDS } from './catalogue/span-types.ts';
import { findColumn } from './columns/column.ts';
import type { LogRecord } from './record.ts';

const MAX_VALUES = 1000;
const MAX_NODES = 1000;
const column_id = z.string().max(1100);
const oneOrMore = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).max(MAX_VALUES)]);
const sensitive = withDefault(z.boolean(), true);
const Needle = z.string().max(100_000).refine(isCleanText, { message: 'contains a NUL or a lone surrogate' });
const compare = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

const IdFilter = z.object({
  type: z.literal('id'),
  column_id,
  operator: withDefault(z.enum(['eq', 'ne', 'one_of', 'not_in', 'contains']), 'eq'),
  value: oneOrMore(Id),
});
const DateFilter = z.object({ type: z.literal('date'), column_id, operator: z.enum(compare), value: Timestamp });
const NumberFilter = z.object({
  type: z.literal('number'),
  column_id,
  operator: z.enum([...compare, 'between']),
  value: oneOrMore(z.number()),
});
const BooleanFilter = z.object({
  type: z.literal('boolean'),
  column_id,
  operator: withDefault(z.enum(['eq', 'ne']), 'eq'),
  value: z.boolean(),
});
const TextFilter = z.object({
  type: z.literal('text'),
  column_id,
  operator: z.enum(['eq', 'ne', 'contains', 'one_of', 'not_in']),
  value: oneOrMore(Needle),
  case_sensitive: sensitive,
});
const CollectionFilter = z.object({
  type: z.literal('collection'),
  column_id,
  operator: z.enum(['eq', 'contains', 'not_in']),
  value: oneOrMore(Needle),
  case_sensitive: sensitive,
});

/** One condition on one column of a record (companion A11). */
export const RecordFilter = z
  .discriminatedUnion('type', [IdFilter, DateFilter, NumberFilter, BooleanFilter, TextFilter, CollectionFilter])
  .meta({ id: 'RecordFilter' });
export type RecordFilter = z.output<typeof RecordFilter>;

/** Conditions joined by and, or, not, to any depth that fits a request. */
export type FilterTree =
  | { readonly filter: RecordFilter }
  | { readonly and: readonly FilterTree[] }
  | { readonly or: readonly FilterTree[] }
  | { readonly not: FilterTree };

export const FilterTree: z.ZodType<FilterTree> = chosenByKey(
  z
    .union([
      z.object({ filter: RecordFilter }),
      z.object({ and: z.array(z.lazy((): z.ZodType<FilterTree> => FilterTree)).max(MAX_VALUES) }),
      z.object({ or: z.array(z.lazy((): z.ZodType<FilterTree> => FilterTree)).max(MAX_VALUES) }),
      z.object({ not: z.lazy((): z.ZodType<FilterTree> => FilterTree) }),
    ])
    .meta({ id: 'FilterTree' }),
);

export const RecordSort = z
  .object({
    column_id,
    ascending: withDefault(z.boolean(), true),
    sort_type: z.string().nullish(),
  })
  .meta({ id: 'RecordSort' });

/** Some clients call the column `name`, as filters of other lists do. */
const byEitherName = (given: unknown): unknown => (Array.isArray(given) ? given.map(columnByEitherName) : given);

const columnByEitherName = (filter: unknown): unknown =>
  typeof filter === 'object' && filter !== null && 'name' in filter && !('column_id' in filter)
    ? { ...filter, column_id: filter.name }
    : filter;

export const RecordCount = z
  .object({
    ...runIdFields,
    /** In each of them `name` may stand for `column_id`. */
    filters: z.preprocess(byEitherName, withDefault(z.array(RecordFilter).max(MAX_VALUES), [])),
    filter_tree: FilterTree.nullish(),
  })
  .meta({ id: 'RecordCount' });
export type RecordCount = z.output<typeof RecordCount>;

export const RecordSearch = RecordCount.extend({
  sort: RecordSort.nullish(),
  starting_token: withDefault(z.int().min(0).max(2_147_483_647), 0),
  limit: limitInBody,
  previous_last_row_id: Id.nullish(),
  truncate_fields: z.boolean().nullish(),
  include_counts: z.boolean().nullish(),
  /** Of traces: the models that their calls name. */
  include_models: z.boolean().nullish(),
}).meta({ id: 'RecordSearch' });
export type RecordSearch = z.output<typeof RecordSearch>;

/** Which records are meant: of one run, of one level, all conditions met. */
export interface RecordSelection {
  readonly project_id: string;
  readonly run_id: string;
  readonly level: 'trace' | 'span';
  readonly where: FilterTree;
}

export interface RecordListing extends RecordSelection {
  /** Ties are broken by id in the same direction. */
  readonly sort: { readonly column_id: string; readonly ascending: boolean };
  readonly starting_token: number;
  readonly limit: number;
  /** Continue behind this record; it counts in the listing's own order. */
  readonly after: string | undefined;
  /** The fields that are wanted; absent means all. Of the others, those that may be large come empty, unread. */
  readonly fields?: ReadonlySet<keyof LogRecord> | undefined;
}

export const NEWEST_FIRST = { column_id: 'created_at', ascending: false } as const;

/**
 * One condition of `filters` and `filter_tree`, which both have to hold. Throws AppError `invalid` with the place of every
 * misfit; `at` is where the two stand in the request.
 */
export function toRecordCondition(
  { filters, filter_tree }: Pick<RecordCount, 'filters' | 'filter_tree'>,
  at: readonly (string | number)[] = ['body'],
): FilterTree {
  const issues: Issue[] = [];
  if (filter_tree && getSize(filter_tree) > MAX_NODES) throw treeTooLarge();
  for (const [index, filter] of filters.entries()) checkFilter(filter, [...at, 'filters', index], issues);
  if (filter_tree) checkTree(filter_tree, [...at, 'filter_tree'], issues);
  if (issues.length > 0) throw new AppError('invalid', 'filter_invalid', 'filters are not valid', { issues });
  return { and: [...filters.map((filter) => ({ filter })), ...(filter_tree ? [filter_tree] : [])] };
}

/** Throws AppError `invalid` with the place of every misfit of a condition that stands at `at` of the request. */
export function checkCondition(tree: FilterTree, at: readonly (string | number)[]): void {
  const issues: Issue[] = [];
  if (getSize(tree) > MAX_NODES) throw treeTooLarge(at);
  if ('filter' in tree) checkFilter(tree.filter, [...at], issues);
  else checkTree(tree, [...at], issues);
  if (issues.length > 0) throw new AppError('invalid', 'filter_invalid', 'filters are not valid', { issues });
}

export function toRecordSort(sort: RecordSearch['sort']): RecordListing['sort'] {
  if (!sort) return NEWEST_FIRST;
  if (findColumn(sort.column_id)?.sortable) return { column_id: sort.column_id, ascending: sort.ascending };
  const issue: Issue = {
    loc: ['body', 'sort', 'column_id'],
    msg: 'no column to sort by',
    type: 'column_unknown',
    input: sort.column_id,
  };
  throw new AppError('invalid', 'sort_invalid', 'no column to sort by', { issues: [issue] });
}

/** Conditions that every record of a selection meets: those that stand by themselves, or are joined by `and`. */
export function requiredFilters(tree: FilterTree): RecordFilter[] {
  if ('filter' in tree) return [tree.filter];
  return 'and' in tree ? tree.and.flatMap(requiredFilters) : [];
}

/** Nodes of a tree: each of them becomes a piece of a statement, and statements have their limits. */
const getSize = (tree: FilterTree): number => {
  if ('filter' in tree) return 1;
  const below = 'not' in tree ? [tree.not] : 'and' in tree ? tree.and : tree.or;
  return below.reduce((sum, node) => sum + getSize(node), 1);
};

const treeTooLarge = (loc: readonly (string | number)[] = ['body', 'filter_tree']): AppError => {
  const msg = `a filter tree has at most ${MAX_NODES} nodes`;
  const issue: Issue = { loc: [...loc], msg, type: 'too_many_filters' };
  return new AppError('invalid', 'filter_invalid', msg, { issues: [issue] });
};

function checkTree(tree: FilterTree, loc: (string | number)[], issues: Issue[]): void {
  if ('filter' in tree) checkFilter(tree.filter, [...loc, 'filter'], issues);
  else if ('not' in tree) checkTree(tree.not, [...loc, 'not'], issues);
  else if ('and' in tree) for (const [index, node] of tree.and.entries()) checkTree(node, [...loc, 'and', index], issues);
  else for (const [index, node] of tree.or.entries()) checkTree(node, [...loc, 'or', index], issues);
}

/** Not a column of the record: a text filter that asks for all words of a text, wherever they stand in name, input or output. */
export const WORDS = 'words';

/** Not a column either: a text filter that asks for a text as it is, in name, input or output; a part of a word is enough. */
export const CONTENT = 'content';

/**
 * Not a column either, but a boolean filter: whether the caller put a bookmark on a record, which is another answer for each person. Requests
 * in which a person asks for records know it (`withBookmarks`); anything that goes on without one, such as an alert, refuses it.
 */
export const IS_BOOKMARKED = 'is_bookmarked';

/** Filters that look through all a record says. Of a trace they look through its spans too: one of its records has to meet them. */
export const isOnContent = ({ column_id }: RecordFilter): boolean => column_id === WORDS || column_id === CONTENT;

/** Columns of calls that a trace has from its spans. */
const OF_CALLS: ReadonlySet<string> = new Set(['model', ...PROMPT_FIELDS]);
export const isOfCalls = (column_id: string): boolean => OF_CALLS.has(column_id);

/**
 * Filters on the model or the prompt of calls, which a trace has from its spans: it meets one when any of its calls does, and one that
 * excludes values (`ne`, `not_in`) when none of its calls has one of these.
 */
export const isOnCalls = ({ column_id }: RecordFilter): boolean => isOfCalls(column_id);

/** The filter that holds exactly where one that excludes values does not; undefined for a filter that asks for values. */
export function excludedBy(filter: RecordFilter): RecordFilter | undefined {
  if (filter.type !== 'text') return undefined;
  if (filter.operator === 'ne') return { ...filter, operator: 'eq' };
  return filter.operator === 'not_in' ? { ...filter, operator: 'one_of' } : undefined;
}

/** Columns that `CONTENT` looks into, each by a filter of its own. */
export const toContentFilters = (filter: RecordFilter & { type: 'text' }): FilterTree => ({
  or: ['name', 'input', 'output'].map((column_id) => ({ filter: { ...filter, column_id } })),
});

function checkFilter(filter: RecordFilter, loc: (string | number)[], issues: Issue[]): void {
  const column = findColumn(filter.column_id);
  if (isOnContent(filter)) {
    const msg = `${filter.column_id} takes a text filter with contains`;
    if (filter.type !== 'text' || filter.operator !== 'contains')
      issues.push({ loc: [...loc, 'operator'], msg, type: 'filter_type_mismatch' });
  } else if (filter.column_id === IS_BOOKMARKED) {
    const [msg, type] =
      filter.type === 'boolean'
        ? ['only a search of a person knows what they put a bookmark on', 'column_unknown']
        : ['column takes a filter of type boolean', 'filter_type_mismatch'];
    issues.push({ loc: [...loc, 'column_id'], msg, type, input: filter.column_id });
  } else if (!column)
    issues.push({ loc: [...loc, 'column_id'], msg: 'unknown column', type: 'column_unknown', input: filter.column_id });
  else if (!column.filter_types.includes(filter.type)) {
    issues.push({
      loc: [...loc, 'type'],
      msg: `column takes a filter of type ${column.filter_types.join(', ')}`,
      type: 'filter_type_mismatch',
      input: filter.type,
    });
  }
  const many = filter.operator === 'one_of' || filter.operator === 'not_in' || filter.operator === 'between';
  const isList = Array.isArray(filter.value);
  if (filter.operator === 'between' && !(isList && (filter.value as unknown[]).length === 2)) {
    issues.push({ loc: [...loc, 'value'], msg: 'between takes two numbers', type: 'value_mismatch' });
  } else if (isList && !many && filter.type !== 'collection') {
    issues.push({ loc: [...loc, 'value'], msg: `${filter.operator} takes one value`, type: 'value_mismatch' });
  }
}
