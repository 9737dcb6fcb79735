import { jsonNeedles } from '../../../core/traces/read/record-match.ts';
import { wordsIn } from '../../../core/traces/read/words.ts';
import { type FilterTree, type RecordFilter, WORDS } from '../../../core/traces/record-query.ts';
import { encodeText } from '../database/text-codec.ts';
import { lowered } from './filter-sql.ts';
import { type Bind, columnSql, type Reading } from './record-columns.ts';

export type { Bind };

const OPERATORS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A condition for a WHERE clause, which takes null for false. Below a `not`, which has to mean the opposite, it is
 * never null; elsewhere conditions stay as they are, so that indexes serve them.
 */
export function conditionSql(tree: FilterTree, bind: Bind, isNegated = false): string {
  if ('filter' in tree)
    return isNegated ? `coalesce(${filterSql(tree.filter, bind)}, false)` : `(${filterSql(tree.filter, bind)})`;
  if ('not' in tree) return `(not ${conditionSql(tree.not, bind, true)})`;
  const [nodes, join, none] = 'and' in tree ? [tree.and, ' and ', 'true'] : [tree.or, ' or ', 'false'];
  return nodes.length === 0 ? none : `(${nodes.map((node) => conditionSql(node, bind, isNegated)).join(join)})`;
}

/** Ids and timestamps have columns of their own types, which read in one way only. */
const READINGS: Readonly<Record<RecordFilter['type'], Reading>> = {
  id: 'text',
  date: 'text',
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  collection: 'collection',
};

function filterSql(filter: RecordFilter, bind: Bind): string {
  if (filter.column_id === WORDS) return wordsSql(String(filter.value), bind);
  const column = columnSql(filter.column_id, READINGS[filter.type], bind);
  switch (filter.type) {
    case 'id':
      return listSql(column, filter.operator === 'contains' ? 'eq' : filter.operator, `${bind(toList(filter.value))}::uuid[]`);
    case 'text':
      return textSql(filter, `${column}::text`, bind);
    case 'number':
      if (filter.operator !== 'between')
        return orderSql(column, filter.operator, `${bind(toList(filter.value)[0])}::double precision`);
      return `${column} between ${bind(toList(filter.value)[0])}::double precision and ${bind(toList(filter.value)[1])}::double precision`;
    case 'date':
      return orderSql(column, filter.operator, `${bind(filter.value)}::timestamptz`);
    case 'boolean':
      return orderSql(column, filter.operator, `${bind(filter.value)}::boolean`);
    case 'collection':
      return collectionSql(filter, column, bind);
  }
}

/** Known to the index, which follows what is written at a short distance. */
const wordsSql = (wanted: string, bind: Bind): string =>
  `exists (select from indexed_records i where i.project_id = r.project_id and i.record_id = r.id and i.run_id = r.run_id
    and not exists (select from unnest(${bind(wordsIn(wanted).map((word) => ` ${word} `))}::text[]) as wanted(word) where strpos(i.words, wanted.word) = 0))`;

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
  const needles = toList(value);
  if (operator !== 'contains') {
    const wanted = `${bind(needles.map(encodeText))}::text[]`;
    const list = case_sensitive ? wanted : `array(select ${lowered('item')} from unnest(${wanted}) as item)`;
    return listSql(fold(column), operator, list);
  }
  const contains = (needles: readonly string[]): string =>
    `exists (select from ${unnestSql(needles, bind)} where strpos(${fold(column)}, ${fold('wanted.value')}) > 0)`;
  const inJson = jsonNeedles(needles);
  if ((column_id !== 'input' && column_id !== 'output') || inJson.length === needles.length) return contains(needles);
  const bit = column_id === 'input' ? 1 : 2;
  return `case when r.payload_kinds & ${bit} = 0 then ${contains(needles)} else ${contains(inJson)} end`;
}

function collectionSql(
  { operator, value, case_sensitive }: RecordFilter & { type: 'collection' },
  column: string,
  bind: Bind,
): string {
  const form = (sql: string): string => (case_sensitive ? sql : lowered(sql));
  const wanted = `(select coalesce(array_agg(${form('wanted.value')}), '{}') from ${unnestSql(toList(value), bind)})`;
  const held = `(select coalesce(array_agg(${form('item')}), '{}') from unnest(${column}) as item)`;
  if (operator === 'not_in') return `not (${wanted} && ${held})`;
  return operator === 'contains' ? `${wanted} <@ ${held}` : `(${wanted} <@ ${held} and ${wanted} @> ${held})`;
}

/** The values as rows `wanted.value`: one parameter, however many they are. */
const unnestSql = (values: readonly string[], bind: Bind): string =>
  `unnest(${bind(values.map(encodeText))}::text[]) as wanted(value)`;

const toList = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : [value as T]);
