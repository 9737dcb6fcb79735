import type { RunTag } from './run-tag.ts';

/** Tags of runs, one of each key. They go with their run. Values handed in or out belong to the caller. */
export interface RunTagStore {
  /**
   * Adds the tag; one of its key that the run has already keeps its id and its creator, and gets the rest. Returns the tag
   * as it is now. Rejects with AppError `not_found` when the project has no such run.
   */
  put(tag: RunTag): Promise<RunTag>;
  find(project_id: string, run_id: string, id: string): Promise<RunTag | undefined>;
  /** Of several runs, oldest first, ties by ascending id. */
  list(project_id: string, run_ids: readonly string[]): Promise<RunTag[]>;
  /** Returns the tag as it is now, undefined when there is none. Rejects with AppError `conflict` when another one has the key. */
  update(
    project_id: string,
    run_id: string,
    id: string,
    changes: Pick<RunTag, 'key' | 'value' | 'tag_type' | 'updated_at'>,
  ): Promise<RunTag | undefined>;
  /** Returns whether there was one. */
  remove(project_id: string, run_id: string, id: string): Promise<boolean>;
}
