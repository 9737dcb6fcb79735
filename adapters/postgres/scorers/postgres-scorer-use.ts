import { sql } from 'kysely';
import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { StoredProject } from '../../../core/projects/project.ts';
import type { RunWithout, ScorerUse, ScorerUseQuery, UsingProject } from '../../../core/scorers/scorer-use.ts';
import { plain } from '../database/columns.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Fragment } from '../database/sql.ts';
import { ProjectTable } from '../projects/project-tables.ts';
import { inSlice, toSqlCondition } from '../traces/filter-sql.ts';

interface UsedRow {
  readonly project_id: string;
  readonly log_streams: UsingProject['log_streams'];
}

const RUN_COUNTS = sql<Pick<UsingProject, 'num_logstreams' | 'num_experiments'>>`(
  select count(*) filter (where kind = 'log_stream')::int as num_logstreams,
    count(*) filter (where kind = 'experiment')::int as num_experiments
  from runs where project_id = p.id)`;

/** Settings name their scorers in a list; whether one of them is like this is asked of the list as a whole. */
const ENABLED = sql`r.metric_settings -> 'scorers'`;

const disableSql = (scorer_id: string) => sql<RunWithout>`
update runs r set
  metric_settings = jsonb_set(r.metric_settings, '{scorers}', (
    select coalesce(jsonb_agg(entry order by place), '[]')
    from jsonb_array_elements(${ENABLED}) with ordinality as e(entry, place)
    where entry ->> 'id' <> ${scorer_id})),
  settings_revision = r.settings_revision + 1,
  updated_at = clock_timestamp()
from projects p
where p.id = r.project_id and ${ENABLED} @> jsonb_build_array(jsonb_build_object('id', ${scorer_id}::text))
returning r.project_id, r.id as run_id, jsonb_array_length(${ENABLED}) > 0 as has_others`;

export class PostgresScorerUse implements ScorerUse {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async projects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[], slice: Slice): Promise<UsingProject[]> {
    const facts = await this.#session.db
      .selectFrom(usedSql(use, filters).as('used'))
      .innerJoin('projects as p', 'p.id', 'used.project_id')
      .innerJoinLateral(RUN_COUNTS.as('counts'), (join) => join.onTrue())
      .select(['p.id', 'used.log_streams', 'counts.num_logstreams', 'counts.num_experiments'])
      .orderBy(sql`p.name collate "C"`)
      .orderBy('p.id')
      .$call(inSlice(slice))
      .execute();
    const projects = new Map((await this.#find(facts.map(({ id }) => id))).map((project) => [project.id, project]));
    return facts.flatMap((fact) => {
      const project = projects.get(fact.id);
      return project ? [{ ...project, ...fact }] : [];
    });
  }

  async countProjects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[]): Promise<number> {
    const [counted] = await this.#session.rows(
      sql<{ count: number }>`select count(*)::int as count from ${usedSql(use, filters)} used`,
    );
    return counted!.count;
  }

  disable(scorer_id: string): Promise<RunWithout[]> {
    return this.#session.rows(disableSql(scorer_id));
  }

  async #find(ids: readonly string[]): Promise<StoredProject[]> {
    const rows = await this.#session.em.find(ProjectTable, { id: { $in: [...ids] } });
    return rows.map((row) => plain<StoredProject>(row));
  }
}

/** Projects with their log streams that use the scorer. */
function usedSql(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[]): Fragment<UsedRow> {
  const like = entriesLike(use).map((entry) => JSON.stringify([entry]));
  return sql`(
    select r.project_id,
      coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name collate "C", r.id)
        filter (where r.kind = 'log_stream'), '[]') as log_streams
    from projects p join runs r on r.project_id = p.id
    where ${toSqlCondition(filters, { id: sql`p.id` })}
      and r.kind in ('log_stream', 'experiment') and ${ENABLED} @> any(${like}::jsonb[])
    group by r.project_id)`;
}

function entriesLike({ scorer_id: id, version }: ScorerUseQuery): object[] {
  if (!version) return [{ id }];
  const pinned = { id, scorer_version_id: version.id };
  return version.is_default ? [pinned, { id, scorer_version_id: null }] : [pinned];
}
