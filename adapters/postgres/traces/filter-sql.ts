import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { CollectionFilter, Filter, StringFilter } from '../../../core/kernel/query/filter.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { Sort } from '../../../core/kernel/query/sort.ts';
import { allOf, COMPARISONS, type Condition, type Fragment } from '../database/sql.ts';

/**
 * SQL for each name that may be filtered or sorted by: a constant of the store, never text of a request. A function
 * gets the value of a custom filter and returns the whole condition.
 */
export type Column = Fragment | ((value: Fragment) => Condition);

/** The condition that `matchesAll` of the core states in code; for a WHERE clause, where null counts as false. */
export const toSqlCondition = <N extends string>(
  filters: readonly Filter<N>[],
  columns: Readonly<Record<N, Column>>,
): Condition => allOf(filters.map((filter) => sql`(${translate(filter, columns[filter.name])})`));

/** Puts a query in order; `id` breaks ties, so that pages neither overlap nor leave gaps. */
export const inOrder =
  <N extends string, DB, TB extends keyof DB>(
    sort: Sort<N>,
    columns: Readonly<Record<N, Fragment>>,
    id: ReferenceExpression<DB, TB>,
  ) =>
  <O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.orderBy(columns[sort.name], sort.ascending ? 'asc' : 'desc').orderBy(id, 'asc');

/** Takes a slice of a query, or all of it. */
export const inSlice =
  (slice: Slice | undefined) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    slice ? query.limit(slice.limit).offset(slice.offset) : query;

function translate(filter: Filter, column: Column): Condition {
  if (typeof column === 'function') return column(toCustomValue(filter));
  switch (filter.family) {
    case 'string':
      return textCondition(filter, column);
    case 'id':
      return member(filter.operator, sql`${column} = any(${filter.values}::uuid[])`);
    case 'enum':
      return member(filter.operator, sql`${column} = any(${filter.values}::text[])`);
    case 'date':
      return sql`${column} ${COMPARISONS[filter.operator]} ${filter.value}::timestamptz`;
    case 'number': {
      const [first, second] = filter.values.map((value) => sql`${value}::double precision`);
      if (filter.operator === 'between') return sql`${column} between ${first} and ${second}`;
      return sql`${column} ${COMPARISONS[filter.operator]} ${first}`;
    }
    case 'boolean':
      return sql`${column} ${COMPARISONS[filter.operator]} ${filter.value}::boolean`;
    case 'collection':
      return collectionCondition(filter, column);
    case 'custom_uuid':
    case 'custom_boolean':
      return sql`${column} = ${toCustomValue(filter)}`;
  }
}

function toCustomValue(filter: Filter): Fragment {
  if (filter.family === 'custom_uuid') return sql`${filter.value}::uuid`;
  if (filter.family === 'custom_boolean') return sql`${filter.value}::boolean`;
  throw new Error(`filter "${filter.name}": only custom filters take a condition of their own`);
}

/** `ne` and `not_in` hold for null, as for every other value that is not among the given ones. */
const member = (operator: string, condition: Condition): Condition =>
  operator === 'ne' || operator === 'not_in' ? sql`(${condition}) is not true` : condition;

/** ICU lowers letters of all alphabets, whatever the locale of the database; `collate "C"` compares the result exactly. */
export const lowered = (text: Fragment): Fragment => sql`lower(${text} collate "und-x-icu") collate "C"`;
const exact = (text: Fragment): Fragment => sql`${text} collate "C"`;
const [VALUE, HELD] = [sql`wanted.value`, sql`held.value`];

/** `contains` looks for the text by position: in a LIKE pattern, `%`, `_` and `\` of the user would mean something. */
function textCondition({ operator, values, case_sensitive }: StringFilter, column: Fragment): Condition {
  const form = case_sensitive ? exact : lowered;
  const test = operator === 'contains' ? sql`strpos(${form(column)}, ${form(VALUE)}) > 0` : sql`${form(column)} = ${form(VALUE)}`;
  return member(operator, sql`exists (select from unnest(${values}::text[]) as wanted(value) where ${test})`);
}

/** On a `jsonb` array of texts; null stands for an empty one. */
function collectionCondition({ operator, values, case_sensitive }: CollectionFilter, column: Fragment): Condition {
  const form = case_sensitive ? exact : lowered;
  const wanted = sql`(select coalesce(array_agg(${form(VALUE)}), '{}') from unnest(${values}::text[]) as wanted(value))`;
  const held = sql`(select coalesce(array_agg(${form(HELD)}), '{}') from jsonb_array_elements_text(${column}) as held(value))`;
  if (operator === 'not_in') return sql`not ${wanted} && ${held}`;
  return operator === 'contains' ? sql`${wanted} <@ ${held}` : sql`${wanted} <@ ${held} and ${wanted} @> ${held}`;
}
