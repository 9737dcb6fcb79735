export interface RecordCounts {
  readonly num_traces: number;
  readonly num_spans: number;
}

/** Operations on the records of runs that projects need. */
export interface RunRecords {
  /** By run id; a run without records may be left out. */
  counts(project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>>;
  /**
   * Removes all records, sessions and scores of a run, or of the whole project when `run_id` is absent. Joins the transaction
   * under way. Nothing to remove is not an error.
   */
  removeAll(project_id: string, run_id?: string): Promise<void>;
}
