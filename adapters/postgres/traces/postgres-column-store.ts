import { sql } from 'kysely';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { COMMON_FIELD_NAMES, commonField } from '../../../core/traces/catalogue/record-fields.ts';
import { type Column, findColumn, isOfLevel, PLACES, parseOwnName } from '../../../core/traces/columns/column.ts';
import type { ColumnStore, RatedColumn, RunWindow } from '../../../core/traces/columns/column-store.ts';
import { MAX_OWN_COLUMNS, type ObservedColumn } from '../../../core/traces/columns/observed-columns.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { allOf, type Condition } from '../database/sql.ts';
import { decodeJson, decodeText, encodeText } from '../database/text-codec.ts';
import { RATING_PLACES, ratedSql } from './rated-columns.ts';
import { columnSql } from './record-columns.ts';

/**
 * How many of the newest records are looked at first, next and at last. Mostly the first ones have every column that
 * any record has; a column that is hard to find costs one pass over the run, however many such columns there are.
 */
const SLICES = [
  { offset: 0, limit: 500 },
  { offset: 500, limit: 20_000 },
  { offset: 20_500, limit: undefined },
] as const;
type Slice = (typeof SLICES)[number];

/** Runs may have more names of their own from the time before these were bounded. */
const SEEN = `
select type, column_id, data_type from record_columns
where project_id = $1 and run_id = $2 and strpos(column_id, '/') = 0
union all (
  select type, column_id, data_type from record_columns
  where project_id = $1 and run_id = $2 and strpos(column_id, '/') > 0
  order by column_id, type, data_type limit ${MAX_OWN_COLUMNS}
)`;

export class PostgresColumnStore implements ColumnStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async seen(project_id: string, run_id: string): Promise<ObservedColumn[]> {
    const rows = await this.#session.sql<ObservedColumn>(SEEN, [project_id, run_id]);
    return rows.map((row) => ({ ...row, column_id: decodeText(row.column_id) }));
  }

  async filled(window: RunWindow, column_ids: readonly string[]): Promise<Set<string>> {
    const missing = new Set(column_ids);
    const complete = new Set<string>();
    for (const slice of SLICES) {
      for (const level of ['trace', 'span'] as const) {
        const sought = [...missing].filter((id) => appliesTo(id, level));
        if (sought.length === 0 || complete.has(level)) continue;
        const { rows, found } = await this.#look(window, level, slice, sought);
        for (const id of found) missing.delete(id);
        if (rows < (slice.limit ?? Number.POSITIVE_INFINITY)) complete.add(level);
      }
    }
    return new Set(column_ids.filter((id) => !missing.has(id)));
  }

  async rated(window: RunWindow, of: 'records' | 'sessions'): Promise<RatedColumn[]> {
    const places = RATING_PLACES.map((place) => ratedSql(place, window, of));
    return this.#session.rows(
      sql<RatedColumn>`select column_id, rating_type, is_filled from (${sql.join(places, sql` union all `)}) as known`,
    );
  }

  async scored(window: RunWindow, metric_names: readonly string[]): Promise<Map<string, JsonValue>> {
    const rows = await this.#session.rows(
      sql<{ name: string; value: string }>`select wanted.metric as name, (
         select s.value from scores s
         join records r on r.project_id = s.project_id and r.id = s.record_id and (r.run_id = s.run_id) is true
         where s.project_id = ${window.project_id} and s.run_id = ${window.run_id} and s.metric_name = wanted.metric
           and s.value <> 'null' and ${timeSql(window)} limit 1
       ) as value
       from unnest(${metric_names.map(encodeText)}::text[]) as wanted(metric)`,
    );
    const known = rows.filter(({ value }) => value !== null);
    return new Map(known.map(({ name, value }) => [decodeText(name), decodeJson(JSON.parse(value)) as JsonValue]));
  }

  /** Reads which of the columns a slice has, and how many records it is. */
  async #look(
    window: RunWindow,
    level: 'trace' | 'span',
    slice: Slice,
    ids: readonly string[],
  ): Promise<{ rows: number; found: string[] }> {
    const standard = ids.filter((id) => parseOwnName(id) === undefined);
    const own = ids.filter((id) => parseOwnName(id) !== undefined);
    const row = await this.#session.db
      .selectFrom(this.#slice(window, level, slice).as('r'))
      .select(sql<string>`count(*)::text`.as('total'))
      .select(standard.map((id, at) => sql<boolean>`coalesce(bool_or(${filledSql(findColumn(id)!)}), false)`.as(`has${at}`)))
      .executeTakeFirstOrThrow();
    const found = standard.filter((_, at) => row[`has${at}`]);
    const names = own.length === 0 ? [] : await this.#ownNames(window, level, slice, own);
    return { rows: Number(row.total), found: [...found, ...names] };
  }

  async #ownNames(window: RunWindow, level: 'trace' | 'span', slice: Slice, ids: readonly string[]): Promise<string[]> {
    const rows = await this.#session.rows(
      sql<{ column_id: string }>`select distinct held.place || '/' || entry.key as column_id
       from ${this.#slice(window, level, slice).as('r')}
       cross join lateral (values ${OWN_PLACES}) as held(place, entries)
       cross join lateral jsonb_each_text(held.entries) as entry(key, value)
       where entry.value not in ('', '[]') and held.place || '/' || entry.key = any(${ids.map(encodeText)}::text[])`,
    );
    return rows.map(({ column_id }) => decodeText(column_id));
  }

  /** The newest records of a level, from the index that has them in this order. */
  #slice({ project_id, run_id, ...window }: RunWindow, level: 'trace' | 'span', { offset, limit }: Slice) {
    const newest = this.#session.db
      .selectFrom('records as r')
      .selectAll()
      .where(sql<boolean>`r.project_id = ${project_id} and r.run_id = ${run_id} and r.is_trace = ${sql.lit(level === 'trace')}`)
      .where(timeSql(window))
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .offset(offset);
    return limit === undefined ? newest : newest.limit(limit);
  }
}

const OWN_PLACES = sql.join(PLACES.map((place) => sql`(${sql.lit(place)}, ${sql.ref(`r.${place}`)})`));

const appliesTo = (id: string, level: 'trace' | 'span'): boolean =>
  parseOwnName(id) !== undefined || isOfLevel(findColumn(id)?.applies_to ?? [], level);

export const timeSql = ({ start_time, end_time }: Pick<RunWindow, 'start_time' | 'end_time'>): Condition =>
  allOf([
    ...(start_time === undefined ? [] : [sql<boolean>`r.created_at >= ${start_time}::timestamptz`]),
    ...(end_time === undefined ? [] : [sql<boolean>`r.created_at <= ${end_time}::timestamptz`]),
  ]);

/** That a record has more than an empty value, and is of a type that the column is for. */
function filledSql({ id, data_type, applies_to }: Column): Condition {
  const isOfType: Condition = sql`r.type = any(${applies_to}::text[])`;
  if (ALWAYS.has(id)) return isOfType;
  const value = columnSql(id, 'text');
  return data_type === 'text'
    ? sql`(${value} <> '' and ${value} <> '[]' and ${isOfType})`
    : sql`(${value} is not null and ${isOfType})`;
}

/** Columns without which no record is: those that are no text and never null. */
const ALWAYS = new Set<string>(
  COMMON_FIELD_NAMES.filter((name) => {
    const { kind, blank } = commonField(name);
    return blank === undefined ? kind !== 'type' : kind === 'boolean';
  }),
);
