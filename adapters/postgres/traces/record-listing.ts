import { createHash } from 'node:crypto';
import { type AliasedRawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { LARGE_FIELDS } from '../../../core/traces/read/projected-record.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { RecordListing, RecordSelection } from '../../../core/traces/record-query.ts';
import type { Tables } from '../database/orm.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { behindIn, type Condition, type Fragment, TRUE } from '../database/sql.ts';
import { type Boundary, PageBoundaries } from './page-boundaries.ts';
import { RecordCandidates } from './record-candidates.ts';
import { sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';
import { type RecordRow, toRecord } from './record-row.ts';
import { selectRecord } from './record-statements.ts';

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

  /** See `TraceStore.list`. */
  async list(listing: RecordListing): Promise<LogRecord[]> {
    const { sort, starting_token, limit, after } = listing;
    const isPlain = sort.column_id === 'created_at' && after === undefined;
    const key = isPlain && starting_token + limit >= PageBoundaries.SHALLOW ? getKey(listing) : undefined;
    const from = key === undefined ? undefined : this.#boundaries.nearest(key, starting_token);
    const rows = await this.#page(listing, from, await this.#candidates.find(listing)).execute();
    const records = rows.map(toRecord);
    const last = records[limit - 1];
    if (key !== undefined && last && records.length > limit) {
      this.#boundaries.remember(key, { token: starting_token + limit, created_at: last.created_at, id: last.id });
    }
    return records;
  }

  /**
   * The rows are found first and read then: what only has to be counted or sorted is not read whole. The newest records
   * come straight from their index, where that would be a detour.
   */
  #page(listing: RecordListing, from: Boundary | undefined, candidates: readonly string[] | undefined): Found<RecordRow> {
    const { project_id, run_id, sort, starting_token, limit, fields } = listing;
    const offset = starting_token - (from?.token ?? 0);
    const keys = sortKeysSql(sort.column_id, listing).map((key, at) => ({ key, name: `key${at}` }));
    const columns = selectRecord(unreadOf(fields));
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
      return inOrder(found.select(columns).$castTo<RecordRow>(), [keys[0]!.key]);
    const byKeys = keys.map(({ name }) => sql.ref(name));
    const page = inOrder(found.select(['r.id', ...keys.map(({ key, name }) => key.as(name))]), byKeys);
    const isRecord = sql<boolean>`r.project_id = ${project_id} and r.id = page.id and (r.run_id = ${run_id}) is true`;
    const read = this.#session.db
      .with(
        (cte) => cte('page').materialized(),
        () => page,
      )
      .selectFrom('page')
      .innerJoin('records as r', (join) => join.on(isRecord))
      .select(columns);
    return inOrder(read as unknown as Found<RecordRow>, byKeys);
  }
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
