import type { RunOrigin } from './run-origin.ts';

/** Stores the origins of runs. Values handed in or out belong to the caller. */
export interface RunOriginStore {
  /**
   * Writes the origin of a run, in place of the one there may be. Joins the transaction under way. Rejects with AppError
   * `not_found` when the project has no such run.
   */
  put(origin: RunOrigin): Promise<void>;
  /** Undefined when there is no such run, or nobody wrote down its origin. It goes with its run. */
  find(project_id: string, run_id: string): Promise<RunOrigin | undefined>;
  /** Origins of several runs in any order; runs without one are left out. */
  list(project_id: string, run_ids: readonly string[]): Promise<RunOrigin[]>;
}
