/** A trace, span or session of a project. */
export interface ExportKey {
  readonly run_id: string;
  readonly record_id: string;
}
