/** Facts of a run that ingest and reading need. */
export interface RunContext {
  readonly project_id: string;
  readonly project_name: string;
  readonly run_id: string;
  readonly kind: 'log_stream' | 'experiment' | 'metrics_testing';
  /** Raised by every change of the metric settings. */
  readonly settings_revision: number;
  /** Whether any scorer is enabled. */
  readonly has_scorers: boolean;
}

export interface RunDirectory {
  /**
   * Undefined for an unknown project, an unknown run, or a run of another project. What is answered may be a second
   * old unless it is asked for `fresh`.
   */
  findRun(project_id: string, run_id: string, fresh?: boolean): Promise<RunContext | undefined>;
}
