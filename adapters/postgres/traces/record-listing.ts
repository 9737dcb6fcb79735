import { createHash } from 'node:crypto';
import { type AliasedRawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { parseRatingColumn } from '../../../core/ratings/rating-column.ts';
import type { FacetValue } from '../../../core/traces/read/facet.ts';
import { LARGE_FIELDS } from '../../../core/traces/read/projected-record.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { isOfCalls, type RecordListing, type RecordSelection } from '../../../core/traces/record-query.ts';
import type { RecordsWithin } from '../../../core/traces/trace-store.ts';
import type { Tables } from '../database/orm.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { behindIn, type Condition, type Fragment, NOTHING, TRUE } from '../database/sql.ts';
import { decodeText } from '../database/text-codec.ts';
import { type Boundary, PageBoundaries } from './page-boundaries.ts';
import { bytesSql, storedBytesSql } from './record-bytes.ts';
import { RecordCandidates } from './record-candidates.ts';
import { columnSql, ratedValuesSql, sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';
import { type RecordRow, toRecord } from './record-row.ts';
import { selectRecord } from './record-statements.ts';

/** The distinct values of the record `r`, where it may have several of a column: tags, ratings that are lists, models of a trace's calls. */
function severalValuesSql(column_id: string, level: RecordSelection['level']): Fragment | undefined {
  if (column_id === 'tags') return sql`(select distinct tag from unnest(r.tags) as tag)`;
  if (isOfCalls(column_id) && level === 'trace')
    return sql`(select distinct c.attributes ->> ${sql.lit(column_id)} from records c
      where c.project_id = r.project_id and c.trace_id = r.id and (c.run_id = r.run_id) is true)`;
  const rating = parseRatingColumn(column_id);
  return rating && ratedValuesSql(rating);
}

/** Something of records `r`. */
type Found<Row> = SelectQueryBuilder<Tables & { r: Tables['records'] }, 'r', Row>;

/** Pages of records. */
export class RecordLister {
  readonly #session: PostgresSession;
  readonly #boundaries = new PageBoundaries();
  readonly #candidates: RecordCandidates;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#candidates = new RecordCandidates({ session });
  }

  /** See `TraceStore.count`. */
  async count(selection: RecordSelection): Promise<number> {
    const candidates = await this.#candidates.find(selection);
    const [row] = await this.#session.db
      .selectFrom(sourceSql(selection, candidates))
      .select(sql<string>`count(*)::text`.as('total'))
      .where(whereSql(selection))
      .execute();
    return Number(row?.total ?? 0);
  }

  /** See `TraceStore.facet`. */
  async facet(selection: RecordSelection, column_id: string, limit: number): Promise<FacetValue[]> {
    const source = sourceSql(selection, await this.#candidates.find(selection));
    const several = severalValuesSql(column_id, selection.level);
    const join = several ? sql`cross join lateral ${several} as several(item)` : NOTHING;
    const value = several ? sql`several.item` : sql`(${columnSql(column_id, 'text', selection)})::text`;
    const rows = await this.#session.rows(
      sql<{ value: string; count: string }>`select value, count(*)::text as count
        from (select ${value} as value from ${source} ${join} where ${whereSql(selection)}) as found
        where value is not null group by value order by count(*) desc, value collate "C" limit ${limit}`,
    );
    return rows.map(({ value, count }) => ({ value: decodeText(value), count: Number(count) }));
  }

  /** See `TraceStore.list`. */
  async list(listing: RecordListing): Promise<LogRecord[]> {
    const { limit } = listing;
    const select: Select = (query) => query.select(selectRecord(unreadOf(listing.fields)));
    const { records } = await this.#read(listing, async (from, candidates) => {
      const { query } = this.#page(listing, from, candidates, select);
      const found = (await query.$castTo<RecordRow>().execute()).map(toRecord);
      return { records: found, num_shown: Math.min(found.length, limit), has_more: found.length > limit };
    });
    return records;
  }

  /** See `TraceStore.listWithin`. */
  async listWithin(listing: RecordListing, maxBytes: number): Promise<RecordsWithin> {
    const { records, has_more } = await this.#read(listing, async (from, candidates) => {
      const rows = await this.#session.rows(this.#pageWithin(listing, from, candidates, maxBytes));
      const has_more = (rows[0]?.page_rows ?? 0) > rows.length;
      return { records: rows.map(toRecord), num_shown: rows.length, has_more };
    });
    return { records, has_more };
  }

  /** Reads a page and, where it ends deep in the listing, remembers its last record. */
  async #read(
    listing: RecordListing,
    readPage: (from: Boundary | undefined, candidates: readonly string[] | undefined) => Promise<ReadPage>,
  ): Promise<ReadPage> {
    const { sort, starting_token, limit, after } = listing;
    const isPlain = sort.column_id === 'created_at' && after === undefined;
    const key = isPlain && starting_token + limit >= PageBoundaries.SHALLOW ? getKey(listing) : undefined;
    const from = key === undefined ? undefined : this.#boundaries.nearest(key, starting_token);
    const page = await readPage(from, await this.#candidates.find(listing));
    const last = page.records[page.num_shown - 1];
    if (key !== undefined && last && page.has_more) {
      const { created_at, id } = last;
      this.#boundaries.remember(key, { token: starting_token + page.num_shown, created_at, id });
    }
    return page;
  }

  /**
   * Of the rows of a page those that begin before `maxBytes`, each with the number of rows in the page. Texts say how long they are
   * without being read; to know it of JSON it has to be unpacked, which is done within the bytes that are stored alone.
   */
  #pageWithin(
    listing: RecordListing,
    from: Boundary | undefined,
    candidates: readonly string[] | undefined,
    maxBytes: number,
  ): Fragment<RecordRow & { readonly page_rows: number }> {
    const unread = unreadOf(listing.fields);
    const { query, order } = this.#page(listing, from, candidates, (found, keys) =>
      found
        .selectAll('r')
        .select([...keys.map((name) => sql.ref(`page.${name}`).as(name)), storedBytesSql(unread).as('page_stored')]),
    );
    return sql`select ${sql.join(selectRecord(unread))}, r.page_rows::int as page_rows from (
      select r.*, sum(page_bytes) over (order by page_place) - page_bytes as page_before from (
        select r.*, ${bytesSql(unread)} as page_bytes from (
          select r.*, row_number() over found as page_place, count(*) over () as page_rows,
            sum(page_stored) over found - page_stored as page_stored_before
          from (${query}) as r window found as (order by ${order})
        ) as r where page_stored_before < ${maxBytes} and page_place <= ${listing.limit} offset 0
      ) as r
    ) as r where page_before < ${maxBytes} order by page_place`;
  }

  /**
   * The rows are found first and read then: what only has to be counted or sorted is not read whole. The newest records
   * come straight from their index, where that would be a detour.
   */
  #page(
    listing: RecordListing,
    from: Boundary | undefined,
    candidates: readonly string[] | undefined,
    select: Select,
  ): { readonly query: Found<unknown>; readonly order: Fragment } {
    const { project_id, run_id, sort, starting_token, limit } = listing;
    const offset = starting_token - (from?.token ?? 0);
    const keys = sortKeysSql(sort.column_id, listing).map((key, at) => ({ key, name: `key${at}` }));
    const [last, behind] = toPlace(listing, from, keys);
    const found: Found<unknown> = this.#session.db
      .selectFrom([sourceSql(listing, candidates), ...last])
      .where(whereSql(listing))
      .where(behind)
      .limit(limit + 1)
      .offset(offset);
    const inOrder = <Row>(query: Found<Row>, by: readonly Fragment[]): Found<Row> =>
      [...by, sql.ref('r.id')].reduce((ordered, key) => ordered.orderBy(key, sort.ascending ? 'asc' : 'desc'), query);
    if (offset === 0 && sort.column_id === 'created_at')
      return { query: inOrder(select(found, []), [keys[0]!.key]), order: toOrder([keys[0]!.key], sort.ascending) };
    const byKeys = keys.map(({ name }) => sql.ref(name));
    const page = inOrder(found.select(['r.id', ...keys.map(({ key, name }) => key.as(name))]), byKeys);
    const isRecord = sql<boolean>`r.project_id = ${project_id} and r.id = page.id and (r.run_id = ${run_id}) is true`;
    const read = this.#session.db
      .with(
        (cte) => cte('page').materialized(),
        () => page,
      )
      .selectFrom('page')
      .innerJoin('records as r', (join) => join.on(isRecord));
    const names = keys.map(({ name }) => name);
    return { query: inOrder(select(read as unknown as Found<unknown>, names), byKeys), order: toOrder(byKeys, sort.ascending) };
  }
}

/** The order of a page by these values. */
const toOrder = (by: readonly Fragment[], ascending: boolean): Fragment =>
  sql.join([...by, sql.ref('r.id')].map((key) => (ascending ? sql`${key} asc` : sql`${key} desc`)));

/** Chooses columns of records `r` and, by their names, of what they are ordered by, which stands in `page`. */
type Select = (query: Found<unknown>, keys: readonly string[]) => Found<unknown>;

interface ReadPage extends RecordsWithin {
  /** Of the records that were read those that belong to the page. */
  readonly num_shown: number;
}

/** Conditions may be long texts. */
const getKey = ({ project_id, run_id, level, where, sort: { ascending } }: RecordListing): string =>
  createHash('sha256')
    .update(JSON.stringify([project_id, run_id, level, ascending, where]))
    .digest('base64');

/** Large columns that nobody asked for. */
function unreadOf(fields: RecordListing['fields']): ReadonlySet<string> | undefined {
  if (fields === undefined) return undefined;
  const unread = new Set<string>(LARGE_FIELDS.filter((name) => !fields.has(name)));
  return unread.has('input') && unread.has('output') ? unread.add('content_blocks') : unread;
}

/** The records `r`: those of the table, or of a few candidates, each looked up by its key. */
function sourceSql({ project_id, run_id }: RecordSelection, candidates: readonly string[] | undefined) {
  const source: Fragment<Tables['records']> =
    candidates === undefined
      ? sql`records`
      : sql`(select f.* from unnest(${candidates}::uuid[]) as candidate(id) cross join lateral (
          select * from records where project_id = ${project_id} and id = candidate.id and (run_id = ${run_id}) is true offset 0
        ) as f)`;
  return source.as('r');
}

/** The condition that a record belongs to a selection. */
export const whereSql = ({ project_id, run_id, level, where }: RecordSelection): Condition =>
  sql`r.project_id = ${project_id} and r.run_id = ${run_id} and r.is_trace = ${sql.lit(level === 'trace')}
    and ${conditionSql(where, { project_id, run_id, level })}`;

/** The condition that a record comes behind another in the order of time. */
export const behindBoundary = ({ created_at, id }: Pick<Boundary, 'created_at' | 'id'>, ascending: boolean): Condition =>
  sql`(r.created_at, r.id) ${behindIn(ascending)} (${created_at}::timestamptz, ${id}::uuid)`;

/** A value that records are ordered by, and its name in a page. */
interface SortKey {
  readonly key: Fragment;
  readonly name: string;
}

/** Join and condition that continue where a page ended. */
function toPlace(
  { project_id, run_id, sort, after }: RecordListing,
  from: Boundary | undefined,
  keys: readonly SortKey[],
): [AliasedRawBuilder<unknown, 'last'>[], Condition] {
  if (after === undefined) return [[], from ? behindBoundary(from, sort.ascending) : TRUE];
  const last = sql`(select ${sql.join(keys.map(({ key, name }) => key.as(name)))}, r.id from records r
    where r.project_id = ${project_id} and r.run_id = ${run_id} and r.id = ${after})`;
  if (sort.column_id === 'created_at') return [[], sql`(r.created_at, r.id) ${behindIn(sort.ascending)} ${last}`];
  return [[last.as('last')], behindLast(keys, sort.ascending)];
}

/**
 * The condition that a record is behind the record `last`. Nothing is behind a record that is not there. Missing values are
 * the greatest, as in the order itself.
 */
function behindLast(keys: readonly SortKey[], ascending: boolean): Condition {
  const than = behindIn(ascending);
  return keys.reduceRight<Condition>((tied, { key, name }) => {
    const value = sql.ref(`last.${name}`);
    const [missing, given] = ascending ? [key, value] : [value, key];
    return sql`(${key} ${than} ${value} or ${missing} is null and ${given} is not null
      or ${key} is not distinct from ${value} and ${tied})`;
  }, sql`r.id ${than} last.id`);
}
