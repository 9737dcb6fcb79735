import { AppError } from '../../../core/kernel/errors.ts';
import { type FilterValue, matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { type SortValue, sorted } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type {
  ProjectFilter,
  ProjectFilterName,
  ProjectSort,
  ProjectSortName,
  ProjectType,
  StoredProject,
} from '../../../core/projects/project.ts';
import type { ProjectChanges, ProjectStore } from '../../../core/projects/project-store.ts';
import { NEWEST_RUNS_FIRST, type Run, type RunFilter, type RunKind, type RunSort } from '../../../core/projects/run.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';

export class MemoryProjectStore implements ProjectStore {
  readonly #database: MemoryDatabase;
  readonly #projects: Table<string, StoredProject>;
  readonly #runs: Cell<readonly Run[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#database = database;
    this.#projects = database.table();
    this.#runs = database.cell([]);
  }

  async insertProject(project: StoredProject): Promise<void> {
    if (this.#projects.has(project.id)) throw projectExists();
    this.#refuseTakenProjectName(project);
    this.#projects.set(project.id, structuredClone(project));
  }

  async findProject(id: string): Promise<StoredProject | undefined> {
    return structuredClone(this.#projects.get(id));
  }

  async findProjectByName(type: ProjectType, name: string): Promise<StoredProject | undefined> {
    return structuredClone([...this.#projects.values()].find((project) => project.type === type && project.name === name));
  }

  async holdProject(id: string): Promise<StoredProject | undefined> {
    this.#database.hold();
    return this.findProject(id);
  }

  async listProjects(filters: readonly ProjectFilter[], sort: ProjectSort, slice?: Slice): Promise<StoredProject[]> {
    const passing = this.#passing(filters);
    return structuredClone(
      sliced(
        sorted(passing, sort.ascending, (project) => this.#sortValue(project, sort.name)),
        slice,
      ),
    );
  }

  async countProjects(filters: readonly ProjectFilter[]): Promise<number> {
    return this.#passing(filters).length;
  }

  async updateProject(id: string, changes: ProjectChanges): Promise<StoredProject | undefined> {
    const before = this.#projects.get(id);
    if (!before) return undefined;
    const after = structuredClone({ ...before, ...changes });
    this.#refuseTakenProjectName(after);
    this.#projects.set(id, after);
    return structuredClone(after);
  }

  async removeProject(id: string): Promise<boolean> {
    this.#runs.value = this.#runs.value.filter(({ project_id }) => project_id !== id);
    return this.#projects.delete(id);
  }

  async insertRun(run: Run): Promise<void> {
    if (this.#runs.value.some(({ project_id, id }) => project_id === run.project_id && id === run.id)) throw runExists();
    this.#refuseTakenRunName(run);
    this.#runs.value = [...this.#runs.value, structuredClone(run)];
  }

  async findRun(project_id: string, kind: RunKind, id: string): Promise<Run | undefined> {
    return structuredClone(this.#getRuns(project_id, kind).find((run) => run.id === id));
  }

  async findRuns(kind: RunKind, id: string): Promise<Run[]> {
    return structuredClone(this.#runs.value.filter((run) => run.kind === kind && run.id === id));
  }

  async findRunByName(project_id: string, kind: RunKind, name: string): Promise<Run | undefined> {
    return structuredClone(this.#getRuns(project_id, kind).find((run) => run.name === name));
  }

  async listRuns(project_id: string, kind: RunKind, filters: readonly RunFilter[], sort: RunSort, slice?: Slice): Promise<Run[]> {
    const passing = this.#getRuns(project_id, kind).filter((run) => matchesAll(filters, (name) => run[name]));
    const inOrder = sorted(passing, sort.ascending, (run) => (sort.name === 'name' ? run.name : sortableTime(run[sort.name])));
    return structuredClone(sliced(inOrder, slice));
  }

  async listNewestRuns(project_ids: readonly string[], kind: RunKind, each: number): Promise<Run[]> {
    const lists = project_ids.map((id) => this.listRuns(id, kind, [], NEWEST_RUNS_FIRST, { offset: 0, limit: each }));
    return (await Promise.all(lists)).flat();
  }

  async updateRun(
    project_id: string,
    kind: RunKind,
    id: string,
    changes: Pick<Run, 'name' | 'updated_at'>,
  ): Promise<Run | undefined> {
    const before = this.#getRuns(project_id, kind).find((run) => run.id === id);
    if (!before) return undefined;
    const after = { ...before, ...changes };
    this.#refuseTakenRunName(after);
    this.#runs.value = this.#runs.value.map((run) => (run === before ? after : run));
    return structuredClone(after);
  }

  async removeRun(project_id: string, kind: RunKind, id: string): Promise<boolean> {
    const run = this.#getRuns(project_id, kind).find((one) => one.id === id);
    this.#runs.value = this.#runs.value.filter((one) => one !== run);
    return run !== undefined;
  }

  /** Notes that users created sessions in a run. */
  markUserSessions(project_id: string, run_id: string): void {
    this.#runs.value = this.#runs.value.map((run) =>
      run.project_id === project_id && run.id === run_id ? { ...run, has_user_created_sessions: true } : run,
    );
  }

  #passing(filters: readonly ProjectFilter[]): StoredProject[] {
    return [...this.#projects.values()].filter((project) => matchesAll(filters, (name) => this.#value(project, name)));
  }

  #value(project: StoredProject, name: ProjectFilterName): FilterValue {
    if (name === 'creator') return project.created_by;
    if (name === 'runs') return this.#runsIn(project.id);
    return name === 'bookmark' ? false : project[name];
  }

  #sortValue(project: StoredProject, name: ProjectSortName): SortValue {
    if (name === 'created_at' || name === 'updated_at') return sortableTime(project[name]);
    if (name === 'runs') return this.#runsIn(project.id);
    return name === 'bookmark' ? false : project[name];
  }

  #runsIn(id: string): number {
    return this.#runs.value.filter(({ project_id }) => project_id === id).length;
  }

  #getRuns(project_id: string, kind: RunKind): Run[] {
    return this.#runs.value.filter((run) => run.project_id === project_id && run.kind === kind);
  }

  #refuseTakenProjectName({ id, type, name }: StoredProject): void {
    const taken = [...this.#projects.values()].some((other) => other.id !== id && other.type === type && other.name === name);
    if (taken) throw projectExists();
  }

  #refuseTakenRunName({ project_id, kind, id, name }: Run): void {
    if (this.#getRuns(project_id, kind).some((other) => other.id !== id && other.name === name)) throw runExists();
  }
}

const projectExists = (): AppError => new AppError('conflict', 'project_exists', 'a project of this type with this name exists');
const runExists = (): AppError => new AppError('conflict', 'run_exists', 'a run of this kind with this name exists');
