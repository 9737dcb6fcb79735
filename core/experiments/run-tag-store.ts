import type { RunTag } from './run-tag.ts';

/** Tags of runs. They go with their run. Values handed in or out belong to the caller. */
export interface RunTagStore {
  /** Rejects with AppError `not_found` when the project has no such run. */
  insert(tag: RunTag): Promise<void>;
  find(project_id: string, run_id: string, id: string): Promise<RunTag | undefined>;
  /** Of several runs, oldest first, ties by ascending id. */
  list(project_id: string, run_ids: readonly string[]): Promise<RunTag[]>;
  /** Answers the tag as it is now, undefined when there is none. */
  update(
    project_id: string,
    run_id: string,
    id: string,
    changes: Pick<RunTag, 'key' | 'value' | 'tag_type' | 'updated_at'>,
  ): Promise<RunTag | undefined>;
  /** Answers whether there was one. */
  remove(project_id: string, run_id: string, id: string): Promise<boolean>;
}
