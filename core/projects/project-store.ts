import type { Slice } from '../kernel/query/page.ts';
import type { ProjectFilter, ProjectSort, ProjectType, StoredProject } from './project.ts';
import type { Run, RunFilter, RunKind, RunSort } from './run.ts';

export type ProjectChanges = Partial<Omit<StoredProject, 'id' | 'created_at'>> & Pick<StoredProject, 'updated_at'>;

/**
 * Projects and the runs that records are logged to. Values handed in or out belong to the caller: an
 * adapter that keeps data in memory MUST copy both ways. Ids are in lower case.
 *
 * Lists apply all filters and order by the sort, ties by ascending id. Texts order by code point. A filter whose list
 * is empty is well defined: `one_of` holds for nothing, `not_in` for everything.
 */
export interface ProjectStore {
  /** Rejects with AppError `conflict` when the id, or the name among projects of the type, is taken. */
  insertProject(project: StoredProject): Promise<void>;
  /** Undefined when there is no such project. */
  findProject(id: string): Promise<StoredProject | undefined>;
  findProjectByName(type: ProjectType, name: string): Promise<StoredProject | undefined>;
  /** As `findProject`; inside a transaction, the project also cannot be removed by others until that ends. */
  holdProject(id: string): Promise<StoredProject | undefined>;
  listProjects(filters: readonly ProjectFilter[], sort: ProjectSort, slice?: Slice): Promise<StoredProject[]>;
  countProjects(filters: readonly ProjectFilter[]): Promise<number>;
  /** Returns the project as it is now, undefined when there is none. Rejects with AppError `conflict` as insert does. */
  updateProject(id: string, changes: ProjectChanges): Promise<StoredProject | undefined>;
  /** Removes the project with its runs and the files of its records, all or none. Returns whether there was one. */
  removeProject(id: string): Promise<boolean>;

  /**
   * Adds a run that has no metric settings yet. Rejects with AppError `conflict` when the id, or the name among runs of
   * the kind, is taken within the project. Whether the project exists is the caller's business.
   */
  insertRun(run: Run): Promise<void>;
  /** Undefined when the project has no such run, or it is of another kind. */
  findRun(project_id: string, kind: RunKind, id: string): Promise<Run | undefined>;
  /** Runs of this id and kind, whatever project they are of: ids are unique within a project. */
  findRuns(kind: RunKind, id: string): Promise<Run[]>;
  findRunByName(project_id: string, kind: RunKind, name: string): Promise<Run | undefined>;
  /** An unknown project has no runs; that is not an error. */
  listRuns(project_id: string, kind: RunKind, filters: readonly RunFilter[], sort: RunSort, slice?: Slice): Promise<Run[]>;
  /** The newest runs of the kind, up to `each` of each of the projects, those of a project the newest first, ties by ascending id. */
  listNewestRuns(project_ids: readonly string[], kind: RunKind, each: number): Promise<Run[]>;
  /** Returns the run as it is now, undefined when there is none. Rejects with AppError `conflict` as insert does. */
  updateRun(project_id: string, kind: RunKind, id: string, changes: Pick<Run, 'name' | 'updated_at'>): Promise<Run | undefined>;
  /** Returns whether there was one. */
  removeRun(project_id: string, kind: RunKind, id: string): Promise<boolean>;
}
