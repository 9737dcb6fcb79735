/** Traces that nobody says the end of. */
export interface IdleTraces {
  /**
   * Completes traces to which nothing was logged for so many seconds, and asks for their scoring in the same
   * transaction; some at a time. Returns how many were completed, and whether more are waiting.
   */
  complete(idle_seconds: number): Promise<{ readonly completed: number; readonly more: boolean }>;
}
