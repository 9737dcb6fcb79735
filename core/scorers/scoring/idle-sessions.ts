/**
 * Sessions that have changed and wait for their turn. Nobody says when a session is over: it is judged once nothing has
 * happened in it for a while, and again after it has gone on.
 */
export interface IdleSessions {
  /** Notes that traces of the sessions have been completed, or have changed. */
  note(project_id: string, run_id: string, session_ids: readonly string[]): Promise<void>;
  /**
   * Asks for the scoring of the sessions that were last noted so many seconds ago, and takes them off the list, both or
   * neither; some at a time. Returns how many there were, and whether more are waiting.
   */
  release(idle_seconds: number): Promise<{ readonly released: number; readonly more: boolean }>;
}
