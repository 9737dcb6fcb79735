import type { Suspension } from './suspension.ts';

/** Scorer versions that are switched off, each in a project. They go with their project. */
export interface SuspensionStore {
  /** Returns whether it was stored: the first one counts, as long as it lasts. */
  insert(suspension: Suspension): Promise<boolean>;
  /** Those of a project among these versions. */
  list(project_id: string, scorer_version_ids: readonly string[]): Promise<Suspension[]>;
  /** Of a scorer, in all projects, the newest first. */
  listOfScorer(scorer_id: string): Promise<Suspension[]>;
  /** Returns whether there was one. */
  remove(project_id: string, scorer_version_id: string): Promise<boolean>;
}
