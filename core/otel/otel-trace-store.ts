import type { LogRecord } from '../traces/record.ts';

/** Record stored under the id of a span or trace that arrives. */
export interface ExistingRecord extends Pick<LogRecord, 'id' | 'trace_id' | 'session_id'> {
  /** End of the version that is stored; null while it runs, and for what did not come by OpenTelemetry. */
  readonly ended_at: string | null;
}

/** Access of OpenTelemetry to stored records beside `TraceStore`. */
export interface OtelTraceStore {
  /** Those of the ids that the run holds, by id. */
  standings(project_id: string, run_id: string, ids: readonly string[]): Promise<Map<string, ExistingRecord>>;

  /**
   * Makes the records of traces anew of their stored spans, each trace in isolation, all of it or nothing: the
   * record itself, the session of its spans, which spans have children. Asks for the scoring of those that are complete
   * then, in the same transaction. Of spans it reads what `SpanOutline` has; the records of few. Traces that are
   * already so are not written; unknown ones are left out. Rejects with AppError `unavailable` when the fault will pass.
   */
  reassemble(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<void>;
}
