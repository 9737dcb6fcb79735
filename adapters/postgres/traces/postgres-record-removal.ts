import {
  addRemovalCounts,
  NOTHING_REMOVED,
  type RecordRemoval,
  type RemovalCounts,
} from '../../../core/traces/retention/record-removal.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';

/** Records of one transaction: some tens of milliseconds for those who wait for it. */
const AT_ONCE = 2_000;

/**
 * Removes what `doomed` selects, with its scores and ratings, and puts it on the list of the record index. Locked in the order in
 * which writers lock, so that neither waits for the other in a circle. The comparison of `run_id` is put so that no index
 * over the run serves: on a table without statistics it looks as good as the primary key. `$1` project, `$2` run.
 */
const removal = (doomed: string): string => `
with doomed as materialized (
  select r.id from records r where r.project_id = $1 and ${doomed} order by r.id for update
), gone as (
  delete from records where project_id = $1 and id = any(array(select id from doomed)) and (run_id = $2) is true
  returning id, is_trace, session_id, parent_id
), unlogged as (
  delete from span_logs where project_id = $1 and run_id = $2 and span_id = any(array(select id from gone))
), unfiled as (
  delete from record_files where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
  returning file_id
), left_behind as (
  insert into left_files (project_id, file_id) select distinct $1::uuid, file_id from unfiled on conflict do nothing
), uncalled as (
  delete from judge_calls where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unscored as (
  delete from scores where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), uncounted as (
  delete from score_counts where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unshadowed as (
  delete from shadow_scores where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unscored_sessions as (
  delete from session_scores where project_id = $1 and run_id = $2
    and record_id = any(array(select id from gone where is_trace and session_id = id))
), unrated as (
  delete from feedback where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unannotated as (
  delete from annotations where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), uncommented as (
  delete from comments where project_id = $1 and run_id = $2 and record_id = any(array(select id from gone))
), unbookmarked as (
  delete from bookmarks where project_id = $1 and run_id = $2 and record_id = any(array(select id from gone))
), unlined as (
  delete from annotation_items where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
  returning project_id, queue_id, record_id
), unassigned as (
  delete from annotation_assignments a using unlined u
  where a.project_id = $1 and u.project_id = a.project_id and u.queue_id = a.queue_id and u.record_id = a.record_id
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select $1, $2, array_agg(id), -count(*) filter (where is_trace), -count(*) filter (where not is_trace)
  from gone having count(*) > 0
)
select count(*) filter (where is_trace)::int as traces, count(*) filter (where not is_trace)::int as spans,
  coalesce(array_agg(distinct session_id) filter (where is_trace and session_id <> id), '{}') as session_ids,
  coalesce(array_agg(distinct parent_id) filter (where parent_id is not null), '{}') as parent_ids
from gone`;

/**
 * `$3` traces, `$4` whether the traces themselves: they go last, so that a removal that was broken off can be repeated.
 * Traces are looked up one by one: a condition on all of them looks to the planner, on a table without statistics, as if
 * it held for most rows.
 */
const REMOVE_OF_TRACES = removal(
  `r.id = any(array(
    select below.id from unnest($3::uuid[]) as wanted(trace_id) cross join lateral (
      select id from records where project_id = $1 and trace_id = wanted.trace_id and (run_id = $2) is true and is_trace = $4 offset 0
    ) below limit ${AT_ONCE}
  )) and (r.run_id = $2) is true`,
);
/** `$3` spans. */
const REMOVE_SPANS = removal(`r.id = any($3::uuid[]) and (r.run_id = $2) is true and not r.is_trace`);

/** `$3` sessions: those that nobody created go with the last of their traces. */
const REMOVE_EMPTY_SESSIONS = `
with gone as (
delete from sessions s where s.project_id = $1 and s.id = any($3::uuid[]) and s.run_id = $2
  and s.is_derived
  and not exists (select from records r where r.project_id = $1 and r.run_id = $2 and r.session_id = s.id and r.is_trace and r.session_id <> r.id)
  and not exists (select from records r where r.project_id = $1 and r.id = s.id and r.run_id = $2 and r.is_trace and r.session_id = r.id)
returning s.id
), unscored as (
  delete from session_scores where project_id = $1 and run_id = $2 and record_id = any(array(select id from gone))
), uncounted as (
  delete from score_counts where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unshadowed as (
  delete from shadow_scores where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), uncalled as (
  delete from judge_calls where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unrated as (
  delete from feedback where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), unannotated as (
  delete from annotations where project_id = $1 and record_id = any(array(select id from gone)) and run_id = $2
), uncommented as (
  delete from comments where project_id = $1 and run_id = $2 and record_id = any(array(select id from gone))
), unbookmarked as (
  delete from bookmarks where project_id = $1 and run_id = $2 and record_id = any(array(select id from gone))
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select $1, $2, array_agg(id), 0, 0 from gone having count(*) > 0
)
select id from gone`;

/** `$3` records that may be without children now. */
const MARK_CHILDLESS = `
with marked as (
update records r set has_children = false
where r.project_id = $1 and r.id = any($3::uuid[]) and (r.run_id = $2) is true and r.has_children and not exists (
  select from records child
  where child.project_id = $1 and child.trace_id = r.trace_id and (child.run_id = $2) is true and child.parent_id = r.id
) returning r.id
)
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select $1::uuid, $2::uuid, array_agg(id), 0, 0 from marked having count(*) > 0`;

interface Gone {
  readonly traces: number;
  readonly spans: number;
  readonly session_ids: readonly string[];
  readonly parent_ids: readonly string[];
}

export class PostgresRecordRemoval implements RecordRemoval {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async removeTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RemovalCounts> {
    const run = [project_id, run_id];
    let counts = NOTHING_REMOVED;
    const sessions = new Set<string>();
    for (const areTraces of [false, true]) {
      for (let more = true; more; ) {
        const gone = await this.#remove(REMOVE_OF_TRACES, [...run, trace_ids, areTraces]);
        counts = addRemovalCounts(counts, { traces: gone.traces, spans: gone.spans, sessions: 0 });
        for (const id of gone.session_ids) sessions.add(id);
        more = gone.traces + gone.spans === AT_ONCE;
      }
    }
    return { ...counts, sessions: sessions.size === 0 ? 0 : await this.#removeEmpty(run, [...sessions]) };
  }

  async removeSpans(project_id: string, run_id: string, span_ids: readonly string[]): Promise<RemovalCounts> {
    let counts = NOTHING_REMOVED;
    for (let at = 0; at < span_ids.length; at += AT_ONCE) {
      const gone = await this.#remove(REMOVE_SPANS, [project_id, run_id, span_ids.slice(at, at + AT_ONCE)]);
      counts = addRemovalCounts(counts, { traces: 0, spans: gone.spans, sessions: 0 });
      await retryOnConflict(() => this.#session.sql(MARK_CHILDLESS, [project_id, run_id, gone.parent_ids]));
    }
    return counts;
  }

  async #remove(statement: string, values: readonly unknown[]): Promise<Gone> {
    const [gone] = await retryOnConflict(() => this.#session.sql<Gone>(statement, values));
    return gone!;
  }

  /** The run is held meanwhile: a trace that is being logged under one of the sessions is in, or comes after. */
  #removeEmpty(run: readonly string[], session_ids: readonly string[]): Promise<number> {
    return retryOnConflict(() =>
      this.#session.run(async () => {
        await this.#session.sql('select from runs where project_id = $1 and id = $2 for no key update', run);
        return (await this.#session.sql(REMOVE_EMPTY_SESSIONS, [...run, session_ids])).length;
      }),
    );
  }
}
