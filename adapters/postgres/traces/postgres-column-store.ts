import type { JsonValue } from '../../../core/kernel/json.ts';
import { COMMON_FIELD_NAMES, commonField } from '../../../core/traces/catalogue/record-fields.ts';
import { type Column, findColumn, isOfLevel, PLACES, parseOwnName } from '../../../core/traces/columns/column.ts';
import type { ColumnStore, RunWindow } from '../../../core/traces/columns/column-store.ts';
import { MAX_OWN_COLUMNS, type ObservedColumn } from '../../../core/traces/columns/observed-columns.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeText } from '../database/text-codec.ts';
import { Parameters } from './filter-sql.ts';
import { type Bind, columnSql } from './record-columns.ts';

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

  async scored(window: RunWindow, metric_names: readonly string[]): Promise<Map<string, JsonValue>> {
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const names = bind(metric_names.map(encodeText));
    const rows = await this.#session.sql<{ name: string; value: string }>(
      `select wanted.metric as name, (
         select s.value from scores s
         join records r on r.project_id = s.project_id and r.id = s.record_id and (r.run_id = s.run_id) is true
         where s.project_id = ${bind(window.project_id)} and s.run_id = ${bind(window.run_id)} and s.metric_name = wanted.metric
           and s.value <> 'null' and ${timeSql(window, bind)} limit 1
       ) as value
       from unnest(${names}::text[]) as wanted(metric)`,
      parameters.values,
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
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const from = sliceSql(window, level, slice, bind);
    const probes = standard.map((id, at) => `coalesce(bool_or(${filledSql(findColumn(id)!, bind)}), false) as has${at}`);
    const [row] = await this.#session.sql<Record<string, boolean> & { total: string }>(
      `select count(*)::text as total, ${[...probes, 'true as done'].join(', ')} from (${from}) as r`,
      parameters.values,
    );
    const found = standard.filter((_, at) => row?.[`has${at}`]);
    const names = own.length === 0 ? [] : await this.#ownNames(window, level, slice, own);
    return { rows: Number(row?.total ?? 0), found: [...found, ...names] };
  }

  async #ownNames(window: RunWindow, level: 'trace' | 'span', slice: Slice, ids: readonly string[]): Promise<string[]> {
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const places = PLACES.map((place) => `('${place}', r.${place})`).join(', ');
    const rows = await this.#session.sql<{ column_id: string }>(
      `select distinct held.place || '/' || entry.key as column_id
       from (${sliceSql(window, level, slice, bind)}) as r
       cross join lateral (values ${places}) as held(place, entries)
       cross join lateral jsonb_each_text(held.entries) as entry(key, value)
       where entry.value not in ('', '[]') and held.place || '/' || entry.key = any(${bind(ids.map(encodeText))}::text[])`,
      parameters.values,
    );
    return rows.map(({ column_id }) => decodeText(column_id));
  }
}

const appliesTo = (id: string, level: 'trace' | 'span'): boolean =>
  parseOwnName(id) !== undefined || isOfLevel(findColumn(id)?.applies_to ?? [], level);

/** The newest records of a level, from the index that has them in this order. */
function sliceSql(window: RunWindow, level: 'trace' | 'span', { offset, limit }: Slice, bind: Bind): string {
  const place = `r.project_id = ${bind(window.project_id)} and r.run_id = ${bind(window.run_id)} and r.is_trace = ${level === 'trace'}`;
  const slice = `${limit === undefined ? '' : `limit ${limit}`} offset ${offset}`;
  return `select r.* from records r where ${place} and ${timeSql(window, bind)} order by r.created_at desc, r.id desc ${slice}`;
}

function timeSql({ start_time, end_time }: RunWindow, bind: Bind): string {
  const from = start_time === undefined ? 'true' : `r.created_at >= ${bind(start_time)}::timestamptz`;
  const to = end_time === undefined ? 'true' : `r.created_at <= ${bind(end_time)}::timestamptz`;
  return `${from} and ${to}`;
}

/** That a record has more than an empty value, and is of a type that the column is for. */
function filledSql(column: Column, bind: Bind): string {
  const { id, data_type, applies_to } = column;
  if (ALWAYS.has(id)) return `r.type = any(${bind(applies_to)}::text[])`;
  const value = columnSql(id, 'text', bind);
  const isFilled = data_type === 'text' ? `${value} <> '' and ${value} <> '[]'` : `${value} is not null`;
  return `(${isFilled} and r.type = any(${bind(applies_to)}::text[]))`;
}

/** Columns without which no record is: those that are no text and never null. */
const ALWAYS = new Set<string>(
  COMMON_FIELD_NAMES.filter((name) => {
    const { kind, blank } = commonField(name);
    return blank === undefined ? kind !== 'type' : kind === 'boolean';
  }),
);
