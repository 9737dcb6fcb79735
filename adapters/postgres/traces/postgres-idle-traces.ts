import type { IdleTraces } from '../../../core/traces/ingest/idle-traces.ts';
import { inEachProject } from '../database/in-each-project.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import type { EnqueueWithin } from './group-writer.ts';

/** One job each. */
const AT_ONCE = 100;

/** `$1` seconds. An index holds incomplete traces alone, which are few: they do not stay so. */
const PROJECTS = `
select distinct project_id from records
where is_trace and not is_complete and updated_at < now() - make_interval(secs => $1)`;

/**
 * Traces are written when they change, their spans without them. So a trace that was last written long ago is asked for
 * its newest span; where that is young, the trace takes its age, and is not asked again before it has come of age too.
 * `$1` project, `$2` seconds.
 */
const COMPLETE = `
with waiting as materialized (
  select r.id, r.run_id from records r
  where r.project_id = $1 and r.is_trace and not r.is_complete and r.updated_at < now() - make_interval(secs => $2)
  order by r.updated_at limit ${AT_ONCE} for update skip locked
), aged as materialized (
  select w.id, w.run_id, newest.updated_at, newest.updated_at < now() - make_interval(secs => $2) as is_quiet
  from waiting w cross join lateral (
    select max(s.updated_at) as updated_at from records s
    where s.project_id = $1 and s.trace_id = w.id and (s.run_id = w.run_id) is true
  ) newest
), changed as (
  update records r set is_complete = aged.is_quiet, updated_at = case when aged.is_quiet then clock_timestamp() else aged.updated_at end
  from aged where r.project_id = $1 and r.id = aged.id and (r.run_id = aged.run_id) is true
  returning r.id, r.run_id, r.is_complete
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select $1::uuid, run_id, array_agg(id), 0, 0 from changed group by run_id
)
select * from changed`;

/** `$1` project, `$2` runs. */
const WITH_SCORERS = `
select id from runs where project_id = $1 and id = any($2::uuid[]) and jsonb_array_length(metric_settings -> 'scorers') > 0`;

interface Aged {
  readonly id: string;
  readonly run_id: string;
  readonly is_complete: boolean;
}

export class PostgresIdleTraces implements IdleTraces {
  readonly #session: PostgresSession;
  readonly #enqueueWithin: EnqueueWithin;

  constructor({ session, enqueueWithin }: { session: PostgresSession; enqueueWithin: EnqueueWithin }) {
    this.#session = session;
    this.#enqueueWithin = enqueueWithin;
  }

  async complete(idle_seconds: number): Promise<{ completed: number; more: boolean }> {
    const projects = await this.#session.sql<{ project_id: string }>(PROJECTS, [idle_seconds]);
    const aged = await inEachProject(projects, (project_id) =>
      retryOnConflict(() => this.#session.run(() => this.#completeIn(project_id, idle_seconds))),
    );
    const completed = aged.flat().filter(({ is_complete }) => is_complete).length;
    return { completed, more: aged.some(({ length }) => length === AT_ONCE) };
  }

  async #completeIn(project_id: string, idle_seconds: number): Promise<Aged[]> {
    const aged = await this.#session.sql<Aged>(COMPLETE, [project_id, idle_seconds]);
    const byRun = Map.groupBy(
      aged.filter(({ is_complete }) => is_complete),
      ({ run_id }) => run_id,
    );
    const runs = await this.#session.sql<{ id: string }>(WITH_SCORERS, [project_id, [...byRun.keys()]]);
    const jobs = runs.map(({ id: run_id }) => ({ project_id, run_id, trace_ids: byRun.get(run_id)!.map(({ id }) => id) }));
    const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
    if (jobs.length > 0) await this.#enqueueWithin(sql, jobs);
    return aged;
  }
}
