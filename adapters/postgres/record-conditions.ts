import { escaped } from '../../core/traces/record-match.ts';
import type { FilterTree, RecordFilter } from '../../core/traces/record-query.ts';
import { lowered } from './filter-sql.ts';
import { columnSql } from './record-columns.ts';
import { encodeText } from './text-codec.ts';

/** Adds a value to the statement and answers its `$n`. */
export type Bind = (value: unknown) => string;

const OPERATORS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** A condition as SQL that is true or false, never null: `not` has to mean the opposite. */
export function conditionSql(tree: FilterTree, bind: Bind): string {
  if ('filter' in tree) return `coalesce(${filterSql(tree.filter, bind)}, false)`;
  if ('not' in tree) return `(not ${conditionSql(tree.not, bind)})`;
  const [nodes, join, none] = 'and' in tree ? [tree.and, ' and ', 'true'] : [tree.or, ' or ', 'false'];
  return nodes.length === 0 ? none : `(${nodes.map((node) => conditionSql(node, bind)).join(join)})`;
}

function filterSql(filter: RecordFilter, bind: Bind): string {
  const column = columnSql(filter.column_id, bind);
  switch (filter.type) {
    case 'id':
      return listSql(column, filter.operator === 'contains' ? 'eq' : filter.operator, `${bind(listOf(filter.value))}::uuid[]`);
    case 'text':
      return textSql(filter, `${column}::text`, bind);
    case 'number':
      if (filter.operator !== 'between')
        return orderSql(column, filter.operator, `${bind(listOf(filter.value)[0])}::double precision`);
      return `${column} between ${bind(listOf(filter.value)[0])}::double precision and ${bind(listOf(filter.value)[1])}::double precision`;
    case 'date':
      return orderSql(column, filter.operator, `${bind(filter.value)}::timestamptz`);
    case 'boolean':
      return orderSql(column, filter.operator, `${bind(filter.value)}::boolean`);
    case 'collection':
      return collectionSql(filter, column, bind);
  }
}

const orderSql = (column: string, operator: keyof typeof OPERATORS, value: string): string =>
  operator === 'ne' ? `${column} is distinct from ${value}` : `${column} ${OPERATORS[operator]} ${value}`;

/** No value meets no condition but `ne` and `not_in`. */
const listSql = (column: string, operator: 'eq' | 'ne' | 'one_of' | 'not_in', list: string): string =>
  operator === 'eq' || operator === 'one_of' ? `${column} = any(${list})` : `(${column} = any(${list})) is not true`;

function textSql(
  { column_id, operator, value, case_sensitive }: RecordFilter & { type: 'text' },
  column: string,
  bind: Bind,
): string {
  const fold = (sql: string): string => (case_sensitive ? sql : lowered(sql));
  const needles = listOf(value);
  if (operator !== 'contains') {
    const wanted = `${bind(needles.map(encodeText))}::text[]`;
    const list = case_sensitive ? wanted : `array(select ${lowered('item')} from unnest(${wanted}) as item)`;
    return listSql(fold(column), operator, list);
  }
  const contains = (needle: string): string => `position(${fold(`${bind(encodeText(needle))}::text`)} in ${fold(column)}) > 0`;
  const bit = column_id === 'input' ? 1 : 2;
  const structured = column_id === 'input' || column_id === 'output';
  const parts = needles.map((needle) =>
    structured
      ? `case when r.payload_kinds & ${bit} = 0 then ${contains(needle)} else ${contains(escaped(needle))} end`
      : contains(needle),
  );
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`;
}

function collectionSql(
  { operator, value, case_sensitive }: RecordFilter & { type: 'collection' },
  column: string,
  bind: Bind,
): string {
  const fold = (sql: string): string => (case_sensitive ? sql : lowered(sql));
  const wanted = `unnest(${bind(listOf(value).map(encodeText))}::text[]) as wanted`;
  const items = `unnest(${column}) as item`;
  const match =
    operator === 'contains' ? `position(${fold('wanted')} in ${fold('item')}) > 0` : `${fold('item')} = ${fold('wanted')}`;
  const found = `exists (select from ${items}, ${wanted} where ${match})`;
  return operator === 'not_in' ? `not ${found}` : found;
}

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : [value as T]);
