import type { Rescoring } from '../../../core/scorers/recompute/recompute.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import type { EnqueueWithin } from '../traces/group-writer.ts';

/** `$1` project, `$2` run, `$3` traces, `$4` scorers, `$5` a timestamp. What has no result any more is put on the list of the record index, and how often it had been scored is kept. */
const REMOVE_RESULTS = `
with gone as (
  delete from scores where project_id = $1 and run_id = $2 and scorer_id = any($4::uuid[]) and scored_at <= $5
    and record_id = any(array(
      select r.id from unnest($3::uuid[]) as wanted(trace_id) cross join lateral (
        select id from records where project_id = $1 and trace_id = wanted.trace_id and (run_id = $2) is true offset 0
      ) r
    ))
  returning project_id, record_id, run_id, scorer_version_id, times_scored
), of_sessions as (
  delete from session_scores where project_id = $1 and run_id = $2 and scorer_id = any($4::uuid[]) and scored_at <= $5
    and record_id = any(array(
      select r.session_id from records r where r.project_id = $1 and r.id = any($3::uuid[]) and (r.run_id = $2) is true
    ))
  returning project_id, record_id, run_id, scorer_version_id, times_scored
), counted as (
  insert into score_counts (project_id, record_id, run_id, scorer_version_id, of_session, times_scored)
  select project_id, record_id, run_id, scorer_version_id, false, times_scored from gone
  union all select project_id, record_id, run_id, scorer_version_id, true, times_scored from of_sessions
  order by 1, 2, 3, 4, 5
  on conflict (project_id, record_id, run_id, scorer_version_id, of_session) do update set times_scored = excluded.times_scored
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select $1, $2, array_agg(distinct record_id), 0, 0 from (
    select record_id from gone union all select record_id from of_sessions
  ) changed having count(*) > 0
)
select ((select count(*) from gone) + (select count(*) from of_sessions))::int as removed`;

export class PostgresRescoring implements Rescoring {
  readonly #session: PostgresSession;
  readonly #enqueueWithin: EnqueueWithin;

  constructor({ session, enqueueWithin }: { session: PostgresSession; enqueueWithin: EnqueueWithin }) {
    this.#session = session;
    this.#enqueueWithin = enqueueWithin;
  }

  rescore(
    project_id: string,
    run_id: string,
    trace_ids: readonly string[],
    scorer_ids: readonly string[],
    until: string,
  ): Promise<number> {
    const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
    return retryOnConflict(() =>
      this.#session.run(async () => {
        const values = [project_id, run_id, trace_ids, scorer_ids, until];
        const [gone] = await this.#session.sql<{ removed: number }>(REMOVE_RESULTS, values);
        if (trace_ids.length > 0) await this.#enqueueWithin(sql, [{ project_id, run_id, trace_ids }]);
        return gone!.removed;
      }),
    );
  }
}
