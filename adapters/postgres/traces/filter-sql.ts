import type { CollectionFilter, Filter, StringFilter } from '../../../core/kernel/query/filter.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { Sort } from '../../../core/kernel/query/sort.ts';

/**
 * SQL for each name that may be filtered or sorted by: a constant of the store, never text of a request. A function
 * gets the parameter of a custom filter, as `$n`, and returns the whole condition.
 */
export type Column = string | ((parameter: string) => string);

/** The values of a statement, in the order of their numbers. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its `$n`. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The condition that `matchesAll` of the core states in code; for a WHERE clause, where null counts as false. */
export function toSqlCondition<N extends string>(
  filters: readonly Filter<N>[],
  columns: Readonly<Record<N, Column>>,
  parameters: Parameters,
): string {
  const conditions = filters.map((filter) => `(${translate(filter, columns[filter.name], parameters)})`);
  return conditions.length > 0 ? conditions.join(' and ') : 'true';
}

/** An ORDER BY list; `id` breaks ties, so that pages neither overlap nor leave gaps. */
export function computeOrder<N extends string>(sort: Sort<N>, columns: Readonly<Record<N, string>>, id: string): string {
  return `${columns[sort.name]} ${sort.ascending ? 'asc' : 'desc'}, ${id} asc`;
}

export function toSlice(slice: Slice | undefined, parameters: Parameters): string {
  return slice ? `limit ${parameters.bind(slice.limit)} offset ${parameters.bind(slice.offset)}` : '';
}

const COMPARISONS = { eq: '=', ne: 'is distinct from', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function translate(filter: Filter, column: Column, parameters: Parameters): string {
  if (typeof column === 'function') return column(bindCustom(filter, parameters));
  switch (filter.family) {
    case 'string':
      return textCondition(filter, column, parameters);
    case 'id':
      return member(filter.operator, `${column} = any(${parameters.bind(filter.values)}::uuid[])`);
    case 'enum':
      return member(filter.operator, `${column} = any(${parameters.bind(filter.values)}::text[])`);
    case 'date':
      return `${column} ${COMPARISONS[filter.operator]} ${parameters.bind(filter.value)}::timestamptz`;
    case 'number': {
      const operands = filter.values.map((value) => `${parameters.bind(value)}::double precision`);
      if (filter.operator === 'between') return `${column} between ${operands[0]} and ${operands[1]}`;
      return `${column} ${COMPARISONS[filter.operator]} ${operands[0]}`;
    }
    case 'boolean':
      return `${column} ${COMPARISONS[filter.operator]} ${parameters.bind(filter.value)}::boolean`;
    case 'collection':
      return collectionCondition(filter, column, parameters);
    case 'custom_uuid':
      return `${column} = ${parameters.bind(filter.value)}::uuid`;
    case 'custom_boolean':
      return `${column} = ${parameters.bind(filter.value)}::boolean`;
  }
}

function bindCustom(filter: Filter, parameters: Parameters): string {
  if (filter.family === 'custom_uuid') return `${parameters.bind(filter.value)}::uuid`;
  if (filter.family === 'custom_boolean') return `${parameters.bind(filter.value)}::boolean`;
  throw new Error(`filter "${filter.name}": only custom filters take a condition of their own`);
}

/** `ne` and `not_in` hold for null, as for every other value that is not among the given ones. */
const member = (operator: string, condition: string): string =>
  operator === 'ne' || operator === 'not_in' ? `(${condition}) is not true` : condition;

/** ICU lowers letters of all alphabets, whatever the locale of the database; `collate "C"` compares the result exactly. */
export const lowered = (text: string): string => `lower(${text} collate "und-x-icu") collate "C"`;
const exact = (text: string): string => `${text} collate "C"`;

/** `contains` looks for the text by position: in a LIKE pattern, `%`, `_` and `\` of the user would mean something. */
function textCondition({ operator, values, case_sensitive }: StringFilter, column: string, parameters: Parameters): string {
  const form = case_sensitive ? exact : lowered;
  const wanted = `unnest(${parameters.bind(values)}::text[]) as wanted(value)`;
  const test = operator === 'contains' ? `strpos(${form(column)}, ${form('value')}) > 0` : `${form(column)} = ${form('value')}`;
  return member(operator, `exists (select from ${wanted} where ${test})`);
}

/** On a `jsonb` array of texts; null stands for an empty one. */
function collectionCondition(
  { operator, values, case_sensitive }: CollectionFilter,
  column: string,
  parameters: Parameters,
): string {
  const form = case_sensitive ? exact : lowered;
  const wanted = `(select coalesce(array_agg(${form('value')}), '{}') from unnest(${parameters.bind(values)}::text[]) as wanted(value))`;
  const held = `(select coalesce(array_agg(${form('value')}), '{}') from jsonb_array_elements_text(${column}) as held(value))`;
  if (operator === 'not_in') return `not ${wanted} && ${held}`;
  return operator === 'contains' ? `${wanted} <@ ${held}` : `${wanted} <@ ${held} and ${wanted} @> ${held}`;
}
