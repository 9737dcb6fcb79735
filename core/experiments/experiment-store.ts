import type { ExperimentFacts } from './experiment-facts.ts';

/**
 * Stores the facts of experiments beyond their runs, which are in the `ProjectStore`, and facts go with it. Values
 * handed in or out belong to the caller.
 */
export interface ExperimentStore {
  /** In place of the facts there may be. Joins the transaction under way. Rejects with AppError `not_found` when there is no such run. */
  put(facts: ExperimentFacts): Promise<void>;
  /** Undefined when there is no such run, or nothing was put for it. */
  find(project_id: string, run_id: string): Promise<ExperimentFacts | undefined>;
  /** Of several runs in any order; runs without facts are left out. */
  list(project_id: string, run_ids: readonly string[]): Promise<ExperimentFacts[]>;
  /** The runs of the project that went through any of the datasets, in any order. */
  listByDatasets(project_id: string, dataset_ids: readonly string[]): Promise<RunOfDataset[]>;
  /** Notes how much has been made. Without such facts nothing happens. */
  report(project_id: string, run_id: string, generated: number): Promise<void>;
}

export interface RunOfDataset {
  readonly run_id: string;
  readonly dataset_id: string;
}
