import { createHash } from 'node:crypto';
import { LARGE_FIELDS } from '../../../core/traces/read/projected-record.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { RecordListing, RecordSelection } from '../../../core/traces/record-query.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { Parameters } from './filter-sql.ts';
import { type Boundary, PageBoundaries } from './page-boundaries.ts';
import { RecordCandidates } from './record-candidates.ts';
import { type Bind, bindIn, sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';
import { type RecordRow, toRecord } from './record-row.ts';
import { SELECT_RECORD, selectRecord } from './record-statements.ts';

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
    const parameters = new Parameters();
    const bind: Bind = (value) => parameters.bind(value);
    const where = whereSql(selection, bind);
    const rows = await this.#session.sql<{ total: string }>(
      `select count(*)::text as total from ${sourceSql(selection, candidates, bind)} where ${where}`,
      parameters.values,
    );
    return Number(rows[0]?.total ?? 0);
  }

  /** See `TraceStore.list`. */
  async list(listing: RecordListing): Promise<LogRecord[]> {
    const { sort, starting_token, limit, after } = listing;
    const isPlain = sort.column_id === 'created_at' && after === undefined;
    const key = isPlain && starting_token + limit >= PageBoundaries.SHALLOW ? getKey(listing) : undefined;
    const from = key === undefined ? undefined : this.#boundaries.nearest(key, starting_token);
    const candidates = await this.#candidates.find(listing);
    const parameters = new Parameters();
    const statement = pageSql(
      listing,
      from,
      candidates,
      bindIn(listing, (value) => parameters.bind(value)),
    );
    const rows = await this.#session.sql<RecordRow>(statement, parameters.values);
    const records = rows.map(toRecord);
    const last = records[limit - 1];
    if (key !== undefined && last && records.length > limit) {
      this.#boundaries.remember(key, { token: starting_token + limit, created_at: last.created_at, id: last.id });
    }
    return records;
  }
}

/** Conditions may be long texts. */
const getKey = ({ project_id, run_id, level, where, sort: { ascending } }: RecordListing): string =>
  createHash('sha256')
    .update(JSON.stringify([project_id, run_id, level, ascending, where]))
    .digest('base64');

/**
 * The rows are found first and read then: what only has to be counted or sorted is not read whole. The newest records
 * come straight from their index, where that would be a detour.
 */
function pageSql(
  listing: RecordListing,
  from: Boundary | undefined,
  candidates: readonly string[] | undefined,
  bind: Bind,
): string {
  const { sort, starting_token, limit, after, fields } = listing;
  const offset = starting_token - (from?.token ?? 0);
  const direction = sort.ascending ? 'asc' : 'desc';
  const keys = sortKeysSql(sort.column_id, bind);
  const [join, behind] =
    after === undefined ? ['', from ? behindBoundary(from, listing, bind) : 'true'] : behindRecord(listing, keys, after, bind);
  const where = `${whereSql(listing, bind)} and ${behind}`;
  const slice = `limit ${bind(limit + 1)} offset ${bind(offset)}`;
  const source = sourceSql(listing, candidates, bind);
  if (offset === 0 && sort.column_id === 'created_at') {
    return `select ${selectSql(fields)} from ${source} ${join} where ${where} order by ${keys[0]} ${direction}, r.id ${direction} ${slice}`;
  }
  const named = keys.map((key, at) => `${key} as key${at}`).join(', ');
  const order = (id: string): string => [...keys.map((_, at) => `key${at} ${direction}`), `${id} ${direction}`].join(', ');
  return `with page as materialized (
      select r.id, ${named} from ${source} ${join} where ${where} order by ${order('r.id')} ${slice}
    )
    select ${selectSql(fields)} from page
    join records r on r.project_id = ${bind(listing.project_id)} and r.id = page.id and (r.run_id = ${bind(listing.run_id)}) is true
    order by ${order('r.id')}`;
}

function selectSql(fields: RecordListing['fields']): string {
  if (fields === undefined) return SELECT_RECORD;
  const unread = new Set<string>(LARGE_FIELDS.filter((name) => !fields.has(name)));
  if (unread.has('input') && unread.has('output')) unread.add('content_blocks');
  return selectRecord(unread);
}

/** The records `r`: those of the table, or of a few candidates, each looked up by its key. */
function sourceSql({ project_id, run_id }: RecordSelection, candidates: readonly string[] | undefined, bind: Bind): string {
  if (candidates === undefined) return 'records r';
  return `unnest(${bind(candidates)}::uuid[]) as candidate(id) cross join lateral (
    select * from records where project_id = ${bind(project_id)} and id = candidate.id and (run_id = ${bind(run_id)}) is true offset 0
  ) as r`;
}

/** The condition that a record belongs to a selection. */
export function whereSql({ project_id, run_id, level, where }: RecordSelection, bind: Bind): string {
  const place = `r.project_id = ${bind(project_id)} and r.run_id = ${bind(run_id)} and r.is_trace = ${level === 'trace'}`;
  return `${place} and ${conditionSql(where, bindIn({ project_id, run_id }, bind))}`;
}

const behindBoundary = ({ created_at, id }: Boundary, { sort }: RecordListing, bind: Bind): string =>
  `(r.created_at, r.id) ${sort.ascending ? '>' : '<'} (${bind(created_at)}::timestamptz, ${bind(id)}::uuid)`;

/**
 * Join and condition that continue behind a record. Nothing is behind a record that is not there. Missing values are
 * the greatest, as in the order itself.
 */
function behindRecord(
  { project_id, run_id, sort: { column_id, ascending } }: RecordListing,
  keys: readonly string[],
  after: string,
  bind: Bind,
): [string, string] {
  const named = keys.map((key, at) => `${key} as key${at}`).join(', ');
  const last = `select ${named}, r.id from records r
    where r.project_id = ${bind(project_id)} and r.run_id = ${bind(run_id)} and r.id = ${bind(after)}`;
  const than = ascending ? '>' : '<';
  if (column_id === 'created_at') return ['', `(r.created_at, r.id) ${than} (${last})`];
  const behind = keys.reduceRight((tied, key, at) => {
    const [value, missing] = [`last.key${at}`, ascending ? [key, `last.key${at}`] : [`last.key${at}`, key]];
    const greater = `${missing[0]} is null and ${missing[1]} is not null`;
    return `(${key} ${than} ${value} or ${greater} or ${key} is not distinct from ${value} and ${tied})`;
  }, `r.id ${than} last.id`);
  return [`cross join (${last}) as last`, behind];
}
