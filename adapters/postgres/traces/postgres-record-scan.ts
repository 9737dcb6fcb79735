import { sql } from 'kysely';
import type { JsonObject } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { RecordType } from '../../../core/traces/catalogue/span-types.ts';
import type { RecordKey, RecordOutline, RecordScan } from '../../../core/traces/read/record-scan.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST, type RecordListing, type RecordSelection } from '../../../core/traces/record-query.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type Condition, TRUE } from '../database/sql.ts';
import { decodeJson, decodeText } from '../database/text-codec.ts';
import { RECORD_SIZE } from './record-bytes.ts';
import { sortKeysSql } from './record-columns.ts';
import { behindBoundary, whereSql } from './record-listing.ts';
import { type RecordRow, toRecord } from './record-row.ts';
import { SELECT_RECORD } from './record-statements.ts';

const MAX_RECORDS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Digits of an id without its dashes. */
const ID_LENGTH = 32;

const SIZE = sql.raw(RECORD_SIZE);
const SELECTED = sql.raw(SELECT_RECORD);

interface Place {
  readonly created_at: string;
  readonly id: string;
}

interface OutlineRow extends Omit<RecordOutline, 'metrics'> {
  readonly metrics: JsonObject | null;
}

/** Every page is a statement of its own that continues behind the last one; between them the database knows nothing of the walk. */
export class PostgresRecordScan implements RecordScan {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  records(selection: RecordSelection, sort: RecordListing['sort']): AsyncIterable<readonly LogRecord[]> {
    return sort.column_id === 'created_at' ? this.#byTime(selection, sort) : this.#byIds(selection, sort);
  }

  async *keys(selection: RecordSelection, size: number): AsyncGenerator<readonly RecordKey[]> {
    for (let last: Place | undefined; ; ) {
      const rows = await this.#session.db
        .selectFrom('records as r')
        .select(['r.id', 'r.trace_id', 'r.created_at'])
        .where(whereSql(selection))
        .where(behindSql(last, NEWEST_FIRST))
        .orderBy('r.created_at', 'desc')
        .orderBy('r.id', 'desc')
        .limit(size)
        .$castTo<RecordKey & Place>()
        .execute();
      if (rows.length > 0) yield rows.map(({ id, trace_id }) => ({ id, trace_id }));
      if (rows.length < size) return;
      last = rows.at(-1);
    }
  }

  async outlines(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordOutline[]> {
    const rows = await this.#session.sql<OutlineRow>(
      `select r.id, r.trace_id, r.parent_id, r.session_id, r.type, r.name, r.created_at, r.metrics
       from unnest($3::uuid[]) as wanted(trace_id)
       cross join lateral (select * from records where project_id = $1 and trace_id = wanted.trace_id and (run_id = $2) is true offset 0) r
       order by r.trace_id, r.is_trace desc, r.created_at, r.position, r.id`,
      [project_id, run_id, trace_ids],
    );
    return rows.map((row) => ({
      ...row,
      type: row.type as RecordType,
      name: decodeText(row.name),
      created_at: toUtc(row.created_at)!,
      metrics: row.metrics === null ? {} : (decodeJson(row.metrics) as JsonObject),
    }));
  }

  async *#byTime(selection: RecordSelection, sort: RecordListing['sort']): AsyncGenerator<readonly LogRecord[]> {
    const order = sort.ascending ? sql`r.created_at asc, r.id asc` : sql`r.created_at desc, r.id desc`;
    for (let last: Place | undefined; ; ) {
      const rows = await this.#session.rows(
        sql<RecordRow>`select * from (
           select ${SELECTED}, sum(${SIZE}) over (order by ${order}) - ${SIZE} as before from records r
           where ${whereSql(selection)} and ${behindSql(last, sort)} order by ${order} limit ${MAX_RECORDS}
         ) r where before < ${MAX_BYTES} order by ${order}`,
      );
      if (rows.length === 0) return;
      const records = rows.map(toRecord);
      yield records;
      last = records.at(-1);
    }
  }

  /**
   * In any other order the ids are sorted once, at the beginning, and held: 32 bytes for each record. The rows are looked
   * up by key one by one; a join looks as good to the planner when it reads the whole table for every page.
   */
  async *#byIds(selection: RecordSelection, sort: RecordListing['sort']): AsyncGenerator<readonly LogRecord[]> {
    const ids = await this.#sortedIds(selection, sort);
    for (let at = 0; at < ids.length; ) {
      const wanted = Array.from({ length: Math.min(MAX_RECORDS, (ids.length - at) / ID_LENGTH) }, (_, index) =>
        ids.slice(at + index * ID_LENGTH, at + (index + 1) * ID_LENGTH),
      );
      const rows = await this.#session.rows(
        sql<RecordRow & { place: string }>`select * from (
           select ${SELECTED}, wanted.place, sum(${SIZE}) over (order by wanted.place) - ${SIZE} as before
           from unnest(${wanted}::uuid[]) with ordinality as wanted(id, place)
           cross join lateral (
             select * from records where project_id = ${selection.project_id} and id = wanted.id and (run_id = ${selection.run_id}) is true offset 0
           ) r
         ) r where before < ${MAX_BYTES} order by place`,
      );
      if (rows.length > 0) yield rows.map(toRecord);
      // Those that are gone leave gaps: what follows the last row is asked for again, unless there was none.
      at += ID_LENGTH * (rows.length > 0 ? Number(rows.at(-1)!.place) : wanted.length);
    }
  }

  async #sortedIds(selection: RecordSelection, { column_id, ascending }: RecordListing['sort']): Promise<string> {
    const keys = sortKeysSql(column_id, selection).map((key, at) => key.as(`key${at}`));
    const direction = sql.raw(ascending ? 'asc' : 'desc');
    const order = [...keys.map(({ alias }) => String(alias)), 'id'].map((name) => sql`${sql.ref(name)} ${direction}`);
    const [row] = await this.#session.rows(
      sql<{ ids: string | null }>`select string_agg(replace(id::text, '-', ''), '' order by ${sql.join(order)}) as ids
       from (select r.id, ${sql.join(keys)} from records r where ${whereSql(selection)}) found`,
    );
    return row?.ids ?? '';
  }
}

const behindSql = (last: Place | undefined, { ascending }: RecordListing['sort']): Condition =>
  last ? behindBoundary(last, ascending) : TRUE;
