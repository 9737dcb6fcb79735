import type { IdleSessions } from '../../../core/scorers/scoring/idle-sessions.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { inEachProject } from '../database/in-each-project.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import type { EnqueueWithin } from '../traces/group-writer.ts';

/** Of a project: one job per run. */
const AT_ONCE = 100;

/** Sorted, so that two workers with overlapping jobs cannot lock each other out. */
const NOTE = `
insert into changed_sessions (project_id, run_id, session_id, changed_at)
select $1, $2, id, clock_timestamp() from unnest($3::uuid[]) as changed(id) order by id
on conflict (project_id, session_id, run_id) do update set changed_at = excluded.changed_at`;

/** `$1` seconds. The table holds what has changed lately, which is little. */
const PROJECTS = `
select distinct project_id from changed_sessions where changed_at < clock_timestamp() - make_interval(secs => $1)`;

/** `$1` project, `$2` seconds. */
const TAKE = `
with due as materialized (
  select session_id, run_id from changed_sessions
  where project_id = $1 and changed_at < clock_timestamp() - make_interval(secs => $2)
  order by changed_at limit ${AT_ONCE} for update skip locked
)
delete from changed_sessions c using due
where c.project_id = $1 and c.session_id = due.session_id and (c.run_id = due.run_id) is true
returning c.run_id, c.session_id`;

interface Due {
  readonly run_id: string;
  readonly session_id: string;
}

export class PostgresIdleSessions implements IdleSessions {
  readonly #session: PostgresSession;
  readonly #enqueueWithin: EnqueueWithin;

  constructor({ session, enqueueWithin }: { session: PostgresSession; enqueueWithin: EnqueueWithin }) {
    this.#session = session;
    this.#enqueueWithin = enqueueWithin;
  }

  async note(project_id: string, run_id: string, session_ids: readonly string[]): Promise<void> {
    if (session_ids.length > 0) await retryOnConflict(() => this.#session.sql(NOTE, [project_id, run_id, session_ids]));
  }

  async release(idle_seconds: number): Promise<{ released: number; more: boolean }> {
    const projects = await this.#session.sql<{ project_id: string }>(PROJECTS, [idle_seconds]);
    const taken = await inEachProject(projects, (project_id) =>
      retryOnConflict(() => this.#session.run(() => this.#releaseIn(project_id, idle_seconds))),
    );
    return { released: taken.reduce((sum, count) => sum + count, 0), more: taken.includes(AT_ONCE) };
  }

  async #releaseIn(project_id: string, idle_seconds: number): Promise<number> {
    const due = await this.#session.sql<Due>(TAKE, [project_id, idle_seconds]);
    const byRun = Map.groupBy(due, ({ run_id }) => run_id);
    const jobs = [...byRun].map(([run_id, sessions]): ScoringJob => {
      return { project_id, run_id, trace_ids: [], session_ids: sessions.map(({ session_id }) => session_id) };
    });
    const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
    if (jobs.length > 0) await this.#enqueueWithin(sql, jobs);
    return due.length;
  }
}
