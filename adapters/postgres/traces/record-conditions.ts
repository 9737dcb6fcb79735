import { sql } from 'kysely';
import { jsonNeedles } from '../../../core/traces/read/record-match.ts';
import { wordsIn } from '../../../core/traces/read/words.ts';
import {
  excludedBy,
  type FilterTree,
  isOnCalls,
  isOnContent,
  type RecordFilter,
  toContentFilters,
  WORDS,
} from '../../../core/traces/record-query.ts';
import { COMPARISONS, type Condition, FALSE, type Fragment, TRUE } from '../database/sql.ts';
import { encodeText } from '../database/text-codec.ts';
import { lowered } from './filter-sql.ts';
import { columnSql, type Reading, type Scope } from './record-columns.ts';

/**
 * A condition for a WHERE clause, which takes null for false, on the rows of `scope`. Below a `not`, which has to mean the opposite, it is never null; elsewhere conditions stay as they are, so that indexes serve them.
 */
export function conditionSql(tree: FilterTree, scope?: Scope, isNegated = false): Condition {
  if ('filter' in tree) {
    const condition = scope?.level === 'trace' ? ofTraceSql(tree.filter, scope) : filterSql(tree.filter, scope);
    return isNegated ? sql`coalesce(${condition}, false)` : sql`(${condition})`;
  }
  if ('not' in tree) return sql`(not ${conditionSql(tree.not, scope, true)})`;
  const [nodes, join, none] = 'and' in tree ? [tree.and, sql` and `, TRUE] : [tree.or, sql` or `, FALSE];
  const conditions = nodes.map((node) => conditionSql(node, scope, isNegated));
  return conditions.length === 0 ? none : sql`(${sql.join(conditions, join)})`;
}

function ofTraceSql(filter: RecordFilter, scope: Scope): Condition {
  if (isOnContent(filter)) return inTraceSql(contentSql(filter));
  if (!isOnCalls(filter)) return filterSql(filter, scope);
  const excluded = excludedBy(filter);
  return excluded ? sql`not ${inTraceSql(filterSql(excluded, undefined))}` : inTraceSql(filterSql(filter, undefined));
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

function filterSql(filter: RecordFilter, scope: Scope | undefined): Condition {
  if (isOnContent(filter)) return contentSql(filter);
  const column = columnSql(filter.column_id, READINGS[filter.type], scope);
  switch (filter.type) {
    case 'id':
      return listSql(column, filter.operator === 'contains' ? 'eq' : filter.operator, sql`${toList(filter.value)}::uuid[]`);
    case 'text':
      return textSql(filter, sql`${column}::text`);
    case 'number': {
      const [first, second] = toList(filter.value).map((value) => sql`${value}::double precision`);
      return filter.operator === 'between'
        ? sql`${column} between ${first} and ${second}`
        : orderSql(column, filter.operator, first!);
    }
    case 'date':
      return orderSql(column, filter.operator, sql`${filter.value}::timestamptz`);
    case 'boolean':
      return orderSql(column, filter.operator, sql`${filter.value}::boolean`);
    case 'collection':
      return collectionSql(filter, column);
  }
}

/** The condition that any record of the trace `r` meets a condition, in which that record is `r`. */
const inTraceSql = (condition: Condition): Condition =>
  sql`exists (select from (select r.project_id, r.run_id, r.id) as t
    join records r on r.project_id = t.project_id and r.trace_id = t.id and (r.run_id = t.run_id) is true where ${condition})`;

const contentSql = (filter: RecordFilter): Condition => {
  if (filter.type !== 'text') return FALSE;
  return filter.column_id === WORDS ? wordsSql(String(filter.value)) : conditionSql(toContentFilters(filter));
};

/** Known to the index, which follows what is written at a short distance. */
const wordsSql = (wanted: string): Condition =>
  sql`exists (select from indexed_records i where i.project_id = r.project_id and i.record_id = r.id and i.run_id = r.run_id
    and not exists (select from unnest(${wordsIn(wanted).map((word) => ` ${word} `)}::text[]) as wanted(word) where strpos(i.words, wanted.word) = 0))`;

const orderSql = (column: Fragment, operator: keyof typeof COMPARISONS, value: Fragment): Condition =>
  sql`${column} ${COMPARISONS[operator]} ${value}`;

/** No value meets no condition but `ne` and `not_in`. */
const listSql = (column: Fragment, operator: 'eq' | 'ne' | 'one_of' | 'not_in', list: Fragment): Condition =>
  operator === 'eq' || operator === 'one_of' ? sql`${column} = any(${list})` : sql`(${column} = any(${list})) is not true`;

function textSql({ column_id, operator, value, case_sensitive }: RecordFilter & { type: 'text' }, column: Fragment): Condition {
  const fold = (text: Fragment): Fragment => (case_sensitive ? text : lowered(text));
  const needles = toList(value);
  if (operator !== 'contains') {
    const wanted = sql`${needles.map(encodeText)}::text[]`;
    const list = case_sensitive ? wanted : sql`array(select ${lowered(sql`item`)} from unnest(${wanted}) as item)`;
    return listSql(fold(column), operator, list);
  }
  const contains = (needles: readonly string[]): Condition =>
    sql`exists (select from ${unnestSql(needles)} where strpos(${fold(column)}, ${fold(WANTED)}) > 0)`;
  const inJson = jsonNeedles(needles);
  if ((column_id !== 'input' && column_id !== 'output') || inJson.length === needles.length) return contains(needles);
  const bit = sql.lit(column_id === 'input' ? 1 : 2);
  return sql`case when r.payload_kinds & ${bit} = 0 then ${contains(needles)} else ${contains(inJson)} end`;
}

function collectionSql({ operator, value, case_sensitive }: RecordFilter & { type: 'collection' }, column: Fragment): Condition {
  const fold = (text: Fragment): Fragment => (case_sensitive ? text : lowered(text));
  const wanted = sql`(select coalesce(array_agg(${fold(WANTED)}), '{}') from ${unnestSql(toList(value))})`;
  const held = sql`(select coalesce(array_agg(${fold(sql`item`)}), '{}') from unnest(${column}) as item)`;
  if (operator === 'not_in') return sql`not (${wanted} && ${held})`;
  return operator === 'contains' ? sql`${wanted} <@ ${held}` : sql`(${wanted} <@ ${held} and ${wanted} @> ${held})`;
}

/** The values as rows `wanted.value`: one parameter, however many they are. */
const unnestSql = (values: readonly string[]): Fragment => sql`unnest(${values.map(encodeText)}::text[]) as wanted(value)`;
const WANTED = sql`wanted.value`;

const toList = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : [value as T]);
