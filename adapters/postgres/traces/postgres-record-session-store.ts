import { sql } from 'kysely';
import { AppError } from '../../../core/kernel/errors.ts';
import {
  addRemovalCounts,
  NOTHING_REMOVED,
  type RecordRemoval,
  type RemovalCounts,
} from '../../../core/traces/retention/record-removal.ts';
import type { Session, StoredSession } from '../../../core/traces/sessions/session.ts';
import { SUMMED } from '../../../core/traces/sessions/session-metrics.ts';
import type {
  SessionListing,
  SessionSelection,
  SessionStore,
  TraceOfSession,
} from '../../../core/traces/sessions/session-store.ts';
import { BatchedLookup } from '../database/batched-lookup.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { encodeText } from '../database/text-codec.ts';
import { DerivedSessions } from './derived-sessions.ts';
import { PostgresRecordRemoval } from './postgres-record-removal.ts';
import { bytesSql } from './record-bytes.ts';
import {
  type SessionRow,
  STORED_COLUMNS,
  type StoredRow,
  toSession,
  toSessionValues,
  toStoredSession,
} from './record-session-row.ts';
import { HEAD_AND_TAIL, idsSql, lastSql, pageSql, someTracesSql, TOTALS } from './record-session-sql.ts';

type SessionKey = Pick<StoredSession, 'project_id' | 'run_id' | 'id'>;

/** The run is held until the session is in: it is removed before this, or with it. */
const INSERT = `
with held as materialized (select from runs where project_id = $1 and id = $2 for key share)
insert into sessions (${STORED_COLUMNS}, is_derived) select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 from held
on conflict do nothing returning ${STORED_COLUMNS}`;

const CLAIM = `
update sessions set is_derived = false where project_id = $1 and run_id = $2 and external_id = $3 and is_derived`;

const MARK_RUN = `
update runs set has_user_created_sessions = true where project_id = $1 and id = $2 and not has_user_created_sessions`;

const SUMS = sql.raw(SUMMED.map((name) => `traces.${name}`).join(', '));

/** Sessions with all that is told of them, for rows of `s` with their ids and perhaps a sort key. */
const DETAILS = sql`
select s.project_id, s.run_id, s.id, coalesce(kept.name, own.name) as name, kept.external_id, kept.previous_session_id,
  case when kept.id is null then own.user_metadata else kept.user_metadata end as user_metadata,
  coalesce(kept.created_at, own.created_at) as created_at, coalesce(kept.updated_at, own.updated_at) as updated_at,
  kept.id is null as is_implicit,
  head.input, head.payload_kinds as head_kinds, head.content_blocks as head_blocks,
  tail.output, tail.payload_kinds as tail_kinds, tail.content_blocks as tail_blocks,
  traces.num_traces, traces.is_complete, traces.duration_ns, ${SUMS}
from page s
left join sessions kept on kept.project_id = s.project_id and kept.id = s.id and (kept.run_id = s.run_id) is true
left join records own on own.project_id = s.project_id and own.id = s.id and (own.run_id = s.run_id) is true
  and own.is_trace and kept.id is null
${HEAD_AND_TAIL}
cross join lateral ${TOTALS} traces`;

const findSql = (project_id: string, id: string, run_id: string | null) => sql<SessionRow>`
with page as materialized (
  select project_id, run_id, id from (
    select project_id, run_id, id, created_at, true as is_kept from sessions
    where project_id = ${project_id} and id = ${id} and (${run_id}::uuid is null or run_id = ${run_id})
    union all
    select project_id, run_id, id, created_at, false from records
    where project_id = ${project_id} and id = ${id} and (${run_id}::uuid is null or run_id = ${run_id}) and is_trace and session_id = id
  ) found order by is_kept desc, created_at desc, run_id limit 1
) ${DETAILS}`;

const HOLDS = `
select true as holds from sessions s
where s.project_id = wanted.project_id and s.id = wanted.id and (s.run_id = wanted.run_id) is true
union all
select true from records r
where r.project_id = wanted.project_id and r.id = wanted.id and (r.run_id = wanted.run_id) is true and r.is_trace and r.session_id = r.id
limit 1`;

const tracesOfSession = ({ project_id, run_id, id }: SessionKey, limit: number, offset: number) => sql<TraceOfSession>`
with s as materialized (select ${project_id}::uuid as project_id, ${run_id}::uuid as run_id, ${id}::uuid as id),
page as materialized (
  select t.id, t.created_at from s
  cross join lateral ${someTracesSql(sql`m.trace_id`, 'asc', sql`${limit}::int`, sql`${offset}::int`)} t
)
select page.id as trace_id, size.num_records, size.num_bytes
from page cross join lateral (
  select count(*)::int as num_records, coalesce(sum(${bytesSql(undefined)}), 0)::float8 as num_bytes
  from records r where r.project_id = ${project_id} and r.trace_id = page.id and (r.run_id = ${run_id}) is true
) as size
order by page.created_at, page.id`;

/** `$1` project, `$2` run, `$3` ids of sessions. */
const TRACES_OF_SESSIONS = `
select id from records where project_id = $1 and run_id = $2 and session_id = any($3::uuid[]) and is_trace and session_id <> id
union all
select id from records where project_id = $1 and id = any($3::uuid[]) and (run_id = $2) is true and is_trace and session_id = id`;

const REMOVE_KEPT = `
with unscored as (
  delete from session_scores where project_id = $1 and run_id = $2 and record_id = any($3::uuid[])
), uncounted as (
  delete from score_counts where project_id = $1 and record_id = any($3::uuid[]) and run_id = $2
), unshadowed as (
  delete from shadow_scores where project_id = $1 and record_id = any($3::uuid[]) and run_id = $2
), uncalled as (
  delete from judge_calls where project_id = $1 and record_id = any($3::uuid[]) and run_id = $2
), unrated as (
  delete from feedback where project_id = $1 and run_id = $2 and record_id = any($3::uuid[])
), unannotated as (
  delete from annotations where project_id = $1 and run_id = $2 and record_id = any($3::uuid[])
), uncommented as (
  delete from comments where project_id = $1 and run_id = $2 and record_id = any($3::uuid[])
), unbookmarked as (
  delete from bookmarks where project_id = $1 and run_id = $2 and record_id = any($3::uuid[])
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select $1::uuid, $2::uuid, $3::uuid[], 0, 0 where cardinality($3::uuid[]) > 0
)
delete from sessions where project_id = $1 and run_id = $2 and id = any($3::uuid[])`;
/** Sessions, and traces of them, that are removed before the next ones are looked at. */
const SESSIONS_AT_ONCE = 200;
const TRACES_AT_ONCE = 200;

export class PostgresRecordSessionStore implements SessionStore {
  readonly #session: PostgresSession;
  readonly #removal: RecordRemoval;
  readonly #derived: DerivedSessions;
  readonly #holding: BatchedLookup<{ holds: true }>;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
    this.#removal = new PostgresRecordRemoval({ session });
    this.#derived = new DerivedSessions({ session });
    this.#holding = new BatchedLookup(session, HOLDS);
  }

  async findOrInsert(session: StoredSession, is_user_created: boolean): Promise<StoredSession | undefined> {
    const { project_id, run_id, external_id } = session;
    if (external_id !== null && !is_user_created && !this.#session.isInTransaction)
      return this.#derived.findOrInsert({ ...session, external_id });
    return this.#session.run(async () => {
      // The run comes first here and where records are written: nobody who holds a session waits for a run.
      if (is_user_created) await this.#session.sql(MARK_RUN, [project_id, run_id]);
      const [inserted] = await this.#session.sql<StoredRow>(INSERT, [...toSessionValues(session), !is_user_created]);
      if (inserted) return toStoredSession(inserted);
      const [run] = await this.#session.sql('select from runs where project_id = $1 and id = $2', [project_id, run_id]);
      if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
      if (external_id === null) return undefined;
      if (is_user_created) await this.#session.sql(CLAIM, [project_id, run_id, encodeText(external_id)]);
      return this.findByExternalId(project_id, run_id, external_id);
    });
  }

  async findByExternalId(project_id: string, run_id: string, external_id: string): Promise<StoredSession | undefined> {
    if (!this.#session.isInTransaction) return this.#derived.find({ project_id, run_id, external_id });
    const [row] = await this.#session.sql<StoredRow>(
      `select ${STORED_COLUMNS} from sessions where project_id = $1 and run_id = $2 and external_id = $3`,
      [project_id, run_id, encodeText(external_id)],
    );
    return row && toStoredSession(row);
  }

  async holds(project_id: string, run_id: string, id: string): Promise<boolean> {
    const found = await this.#holding.find(project_id, run_id, [id]);
    return found.length > 0;
  }

  async find(project_id: string, id: string, run_id?: string): Promise<Session | undefined> {
    const [row] = await this.#session.rows(findSql(project_id, id, run_id ?? null));
    return row && toSession(row);
  }

  async list(listing: SessionListing): Promise<Session[]> {
    const { sort, after } = listing;
    const [last] = after === undefined ? [] : await this.#session.rows(lastSql(listing, after));
    if (after !== undefined && !last) return [];
    const order = sort.ascending ? sql`s.key asc, s.id asc` : sql`s.key desc, s.id desc`;
    const rows = await this.#session.rows(
      sql<SessionRow>`with page as materialized (${pageSql(listing, last)}) ${DETAILS} order by ${order}`,
    );
    return rows.map(toSession);
  }

  async count(selection: SessionSelection): Promise<number> {
    const [row] = await this.#session.rows(
      sql<{ total: string }>`select count(*)::text as total from (${idsSql(selection)}) found`,
    );
    return Number(row!.total);
  }

  listTraces(
    session: SessionKey,
    { starting_token, limit }: { readonly starting_token: number; readonly limit: number },
  ): Promise<TraceOfSession[]> {
    return this.#session.rows(tracesOfSession(session, limit + 1, starting_token));
  }

  async remove(selection: SessionSelection): Promise<RemovalCounts> {
    const rows = await this.#session.rows(idsSql(selection));
    const ids = rows.map(({ id }) => id);
    const { project_id, run_id } = selection;
    let counts = NOTHING_REMOVED;
    for (let at = 0; at < ids.length; at += SESSIONS_AT_ONCE) {
      const run = [project_id, run_id, ids.slice(at, at + SESSIONS_AT_ONCE)];
      const traces = await this.#session.sql<{ id: string }>(TRACES_OF_SESSIONS, run);
      counts = addRemovalCounts(
        counts,
        await this.#removeTraces(
          selection,
          traces.map(({ id }) => id),
        ),
      );
      await retryOnConflict(() => this.#session.sql(REMOVE_KEPT, run));
    }
    return { ...counts, sessions: ids.length };
  }

  async #removeTraces({ project_id, run_id }: SessionSelection, ids: readonly string[]): Promise<RemovalCounts> {
    let counts = NOTHING_REMOVED;
    for (let at = 0; at < ids.length; at += TRACES_AT_ONCE)
      counts = addRemovalCounts(counts, await this.#removal.removeTraces(project_id, run_id, ids.slice(at, at + TRACES_AT_ONCE)));
    return counts;
  }
}
