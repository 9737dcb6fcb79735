/**
 * Origin of a run: the dataset whose rows went through it, and the scorer that was tried out in it. Written by whoever
 * makes experiments and metrics-testing runs; a log stream has none. Ids are in lower case.
 */
export interface RunOrigin {
  readonly project_id: string;
  readonly run_id: string;
  /** Null when the records do not come from rows of a dataset. */
  readonly dataset_id: string | null;
  readonly dataset_version_index: number | null;
  /** Null when the run is not about one scorer, or its candidate belongs to no scorer yet. */
  readonly scorer_id: string | null;
  /** The version under which the candidate's scores are kept; null as `scorer_id`, or when any version may score. */
  readonly scorer_version_id: string | null;
  /** The run whose records were scored once more in this one. */
  readonly source_run_id: string | null;
}

/**
 * The key in `dataset_metadata` of a trace that names the dataset row it was made from. It is ours: what rows bring under this
 * name in their own metadata is overwritten where the service itself makes records from rows.
 */
export const ROW_ID_KEY = 'dataset_row_id';
