import { sql } from 'kysely';
import type { RecordSelection } from '../../../core/traces/record-query.ts';
import type { RetentionPreview, RetentionRule } from '../../../core/traces/retention/retention.ts';
import type { RetentionStore } from '../../../core/traces/retention/retention-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Fragment } from '../database/sql.ts';
import { whereSql } from './record-listing.ts';
import { WHOLE_PROJECT } from './retention-tables.ts';

export class PostgresRetentionStore implements RetentionStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async listRules(project_id: string): Promise<RetentionRule[]> {
    return this.#session.sql<RetentionRule>(
      'select project_id, nullif(run_id, $2) as run_id, days from retention_rules where project_id = $1',
      [project_id, WHOLE_PROJECT],
    );
  }

  async listProjects(): Promise<string[]> {
    const rows = await this.#session.sql<{ project_id: string }>('select distinct project_id from retention_rules');
    return rows.map(({ project_id }) => project_id);
  }

  async setRule(project_id: string, run_id: string | null, days: number | null): Promise<void> {
    const key = [project_id, run_id ?? WHOLE_PROJECT];
    if (days === null)
      return void (await this.#session.sql('delete from retention_rules where project_id = $1 and run_id = $2', key));
    await this.#session.sql(
      `insert into retention_rules (project_id, run_id, days) values ($1, $2, $3)
       on conflict (project_id, run_id) do update set days = excluded.days`,
      [...key, days],
    );
  }

  async preview(selection: RecordSelection): Promise<RetentionPreview> {
    const [row] = await this.#session.rows(previewSql(selection));
    const { traces, spans, sessions } = row!;
    return { traces: Number(traces), spans: Number(spans), sessions: Number(sessions) };
  }
}

/** A session goes when all its traces go: the number of them all is the number of those that are selected. */
function previewSql(selection: RecordSelection): Fragment<Record<keyof RetentionPreview, string>> {
  const { project_id: project, run_id: run } = selection;
  return sql`with doomed as materialized (
    select r.id, r.session_id from records r where ${whereSql(selection)}
  ), sessions_hit as (
    select session_id, count(*) as doomed from doomed where session_id <> id group by session_id
  )
  select (select count(*) from doomed)::text as traces,
    (select count(*) from doomed d join records m on m.project_id = ${project} and m.trace_id = d.id and (m.run_id = ${run}) is true
      where not m.is_trace)::text as spans,
    (select count(*) from sessions_hit h
      join sessions s on s.project_id = ${project} and s.id = h.session_id and s.run_id = ${run} and s.is_derived
      where h.doomed = (
        select count(*) from records t
        where t.project_id = ${project} and t.run_id = ${run} and t.session_id = h.session_id and t.is_trace and t.session_id <> t.id
      ) and not exists (
        select from records t where t.project_id = ${project} and t.id = h.session_id and t.run_id = ${run} and t.is_trace and t.session_id = t.id
      ))::text as sessions`;
}
