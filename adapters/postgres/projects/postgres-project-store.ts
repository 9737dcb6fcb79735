import { sql } from 'kysely';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type {
  ProjectFilter,
  ProjectFilterName,
  ProjectSort,
  ProjectSortName,
  ProjectType,
  StoredProject,
} from '../../../core/projects/project.ts';
import type { ProjectChanges, ProjectStore } from '../../../core/projects/project-store.ts';
import type { Run, RunFilter, RunKind, RunSort } from '../../../core/projects/run.ts';
import { NO_METRICS } from '../../../core/scores/metric-settings.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Fragment } from '../database/sql.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { inOrder, inSlice, toSqlCondition } from '../traces/filter-sql.ts';
import { ProjectTable, RunTable } from './project-tables.ts';

/** Bookmarks do not exist yet. The expression is always false, but not a constant, which ORDER BY refuses. */
const BOOKMARK = sql`p.id is null`;
const RUNS = sql`coalesce(c.runs, 0)`;
const projectFilters: Readonly<Record<ProjectFilterName, Fragment>> = {
  id: sql`p.id`,
  name: sql`p.name`,
  type: sql`p.type`,
  creator: sql`p.created_by`,
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
  runs: RUNS,
  bookmark: sql`(${BOOKMARK})`,
};
const projectSorts: Readonly<Record<ProjectSortName, Fragment>> = {
  name: sql`p.name collate "C"`,
  type: sql`p.type collate "C"`,
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
  runs: RUNS,
  bookmark: BOOKMARK,
};
const runFilters = {
  id: sql`r.id`,
  name: sql`r.name`,
  created_by: sql`r.created_by`,
  created_at: sql`r.created_at`,
  updated_at: sql`r.updated_at`,
};
const runSorts = { name: sql`r.name collate "C"`, created_at: sql`r.created_at`, updated_at: sql`r.updated_at` };

const RUN_COUNTS = sql<{ project_id: string }>`(select project_id, count(*)::int as runs from runs group by project_id)`;

/** Tables whose rows are deleted with a run. */
const BESIDE_RUNS = [
  'run_origins',
  'experiments',
  'run_tags',
  'jobs',
  'span_logs',
  'metric_series',
  'metric_series_hours',
  'metric_streams',
];
/** Tables whose rows are deleted with a project: templates belong to no run of it. */
const BESIDE_PROJECTS = [
  ...BESIDE_RUNS,
  'annotation_templates',
  'scorer_suspensions',
  'model_prices',
  'masking_rules',
  'notification_routes',
  'masking_counts',
  'saved_views',
  'ingest_batches',
  'record_files',
  'file_contents',
  'file_totals',
  'files',
];

/** Content that another store than the database keeps is removed by whoever works off this list. */
const LEAVE_FILES = `insert into left_files (project_id, file_id) select project_id, id from files where project_id = $1 on conflict do nothing`;

const PROJECT_COLUMNS = [
  'p.id',
  'p.name',
  'p.type',
  'p.type_is_default',
  'p.created_by',
  'p.description',
  'p.labels',
  'p.created_at',
  'p.updated_at',
] as const;
const RUN_COLUMNS = [
  'r.project_id',
  'r.id',
  'r.kind',
  'r.name',
  'r.created_by',
  'r.has_user_created_sessions',
  'r.created_at',
  'r.updated_at',
] as const;

export class PostgresProjectStore implements ProjectStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insertProject(project: StoredProject): Promise<void> {
    await refusingDuplicateProject(() => this.#session.em.insert(ProjectTable, project));
  }

  async findProject(id: string): Promise<StoredProject | undefined> {
    const row = await this.#session.em.findOne(ProjectTable, { id }, FRESH);
    return row ? plain<StoredProject>(row) : undefined;
  }

  async findProjectByName(type: ProjectType, name: string): Promise<StoredProject | undefined> {
    const row = await this.#session.em.findOne(ProjectTable, { type, name }, FRESH);
    return row ? plain<StoredProject>(row) : undefined;
  }

  async holdProject(id: string): Promise<StoredProject | undefined> {
    await this.#session.sql('select from projects where id = $1 for key share', [id]);
    return this.findProject(id);
  }

  async listProjects(filters: readonly ProjectFilter[], sort: ProjectSort, slice?: Slice): Promise<StoredProject[]> {
    const wanted = this.#projects(filters, sort)
      .select(PROJECT_COLUMNS)
      .$call(inOrder(sort, projectSorts, 'p.id'));
    return (await wanted.$call(inSlice(slice)).$castTo<StoredProject>().execute()).map(inUtc);
  }

  async countProjects(filters: readonly ProjectFilter[]): Promise<number> {
    const count = sql<number>`count(*)::int`.as('total');
    return (await this.#projects(filters).select(count).executeTakeFirstOrThrow()).total;
  }

  async updateProject(id: string, changes: ProjectChanges): Promise<StoredProject | undefined> {
    const found = await refusingDuplicateProject(() => this.#session.em.nativeUpdate(ProjectTable, { id }, changes));
    return found > 0 ? this.findProject(id) : undefined;
  }

  removeProject(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(ProjectTable, { id });
      await this.#session.em.nativeDelete(RunTable, { project_id: id });
      await this.#session.sql(LEAVE_FILES, [id]);
      for (const table of BESIDE_PROJECTS) await this.#session.sql(`delete from ${table} where project_id = $1`, [id]);
      return found > 0;
    });
  }

  async insertRun(run: Run): Promise<void> {
    const settings = { metric_settings: NO_METRICS, settings_revision: 0 };
    await refusingDuplicateRun(() => this.#session.em.insert(RunTable, { ...run, ...settings }));
  }

  async findRun(project_id: string, kind: RunKind, id: string): Promise<Run | undefined> {
    const row = await this.#session.em.findOne(RunTable, { project_id, kind, id }, FRESH);
    return row ? getRun(row) : undefined;
  }

  async findRuns(kind: RunKind, id: string): Promise<Run[]> {
    const held = this.#session.db.selectFrom('projects as p').innerJoin('runs as r', 'r.project_id', 'p.id');
    const rows = await held.select(RUN_COLUMNS).where('r.id', '=', id).where('r.kind', '=', kind).$castTo<Run>().execute();
    return rows.map(inUtc);
  }

  async findRunByName(project_id: string, kind: RunKind, name: string): Promise<Run | undefined> {
    const row = await this.#session.em.findOne(RunTable, { project_id, kind, name }, FRESH);
    return row ? getRun(row) : undefined;
  }

  async listRuns(project_id: string, kind: RunKind, filters: readonly RunFilter[], sort: RunSort, slice?: Slice): Promise<Run[]> {
    const wanted = this.#session.db
      .selectFrom('runs as r')
      .select(RUN_COLUMNS)
      .where('r.project_id', '=', project_id)
      .where('r.kind', '=', kind)
      .where(toSqlCondition(filters, runFilters));
    const rows = await wanted
      .$call(inOrder(sort, runSorts, 'r.id'))
      .$call(inSlice(slice))
      .$castTo<Run>()
      .execute();
    return rows.map(inUtc);
  }

  async listNewestRuns(project_ids: readonly string[], kind: RunKind, each: number): Promise<Run[]> {
    const newest = sql`select ${sql.join(RUN_COLUMNS.map((name) => sql.ref(name)))} from runs r
      where r.project_id = wanted.id and r.kind = ${kind} order by r.created_at desc, r.id asc limit ${each}`;
    const rows = await this.#session.rows(
      sql<Run>`select found.* from unnest(${project_ids}::uuid[]) with ordinality as wanted(id, place) cross join lateral (${newest}) as found
        order by wanted.place, found.created_at desc, found.id asc`,
    );
    return rows.map(inUtc);
  }

  async updateRun(
    project_id: string,
    kind: RunKind,
    id: string,
    changes: Pick<Run, 'name' | 'updated_at'>,
  ): Promise<Run | undefined> {
    const found = await refusingDuplicateRun(() => this.#session.em.nativeUpdate(RunTable, { project_id, kind, id }, changes));
    return found > 0 ? this.findRun(project_id, kind, id) : undefined;
  }

  removeRun(project_id: string, kind: RunKind, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(RunTable, { project_id, kind, id });
      if (found === 0) return false;
      const own = 'where project_id = $1 and run_id = $2';
      for (const table of BESIDE_RUNS) await this.#session.sql(`delete from ${table} ${own}`, [project_id, id]);
      return true;
    });
  }

  /** Runs are counted only where a filter or the sort asks for it. */
  #projects(filters: readonly ProjectFilter[], sort?: ProjectSort) {
    const isCounted = sort?.name === 'runs' || filters.some(({ name }) => name === 'runs');
    return this.#session.db
      .selectFrom('projects as p')
      .$if(isCounted, (query) => query.leftJoin(RUN_COUNTS.as('c'), (join) => join.onRef('c.project_id', '=', 'p.id')))
      .where(toSqlCondition(filters, projectFilters));
  }
}

function getRun(row: object): Run {
  const { metric_settings: _settings, settings_revision: _revision, ...run } = plain<Run & Record<string, unknown>>(row);
  return run;
}

const inUtc = <T extends { readonly created_at: string; readonly updated_at: string }>(row: T): T => ({
  ...row,
  created_at: toUtc(row.created_at) ?? row.created_at,
  updated_at: toUtc(row.updated_at) ?? row.updated_at,
});

const refusingDuplicateProject = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicates('project_exists', 'a project of this type with this name exists', write);
const refusingDuplicateRun = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicates('run_exists', 'a run of this kind with this name exists', write);
