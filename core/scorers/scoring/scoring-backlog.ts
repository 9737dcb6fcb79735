/** A run, or of its jobs those that are for none but these scorers. */
export interface BacklogOfRun {
  readonly project_id: string;
  readonly run_id: string;
  readonly scorer_ids?: readonly string[];
}

/**
 * Scoring jobs that nobody has begun. What is removed is not handed out any more; jobs under way are not touched, they notice by
 * themselves (`TaskWatch`). Removals join the transaction under way and come after whatever keeps new jobs from being put in.
 * What they cost depends on the jobs that are looked for, not on those of other projects. Nothing to remove is not an error.
 */
export interface ScoringBacklog {
  removeOfProject(project_id: string): Promise<void>;
  removeOfRuns(runs: readonly BacklogOfRun[]): Promise<void>;
}
