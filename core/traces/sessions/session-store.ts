import type { LogRecord } from '../record.ts';
import type { RecordListing, RecordSelection } from '../record-query.ts';
import type { RemovalCounts } from '../retention/record-removal.ts';
import type { Session, StoredSession } from './session.ts';

export type SessionSelection = Omit<RecordSelection, 'level'>;
export type SessionListing = SessionSelection & Pick<RecordListing, 'sort' | 'starting_token' | 'limit' | 'after'>;

/**
 * Sessions of runs: those that are kept, and the one of every trace whose `session_id` is its own id. What is told of
 * them, and filtered and sorted by, are the columns of `session-column.ts`. Values handed in or out belong to the caller.
 */
export interface SessionStore {
  /**
   * Stores a session, or returns, unchanged, the one that the run has of this external id already; several that race get
   * the same. `is_user_created`: somebody asked for the session itself, and the run is marked as one with such sessions.
   *
   * Undefined when the id is taken by another session of the run. Rejects with AppError `run_not_found` when the run is gone.
   */
  findOrInsert(session: StoredSession, is_user_created: boolean): Promise<StoredSession | undefined>;

  findByExternalId(project_id: string, run_id: string, external_id: string): Promise<StoredSession | undefined>;

  /** Whether the run has a session of this id, kept or of a trace by itself; takes the same time however many traces it has. */
  holds(project_id: string, run_id: string, id: string): Promise<boolean>;

  /** Newest first where several runs of the project hold the id; undefined for an unknown one. */
  find(project_id: string, id: string, run_id?: string): Promise<Session | undefined>;

  /** Up to `limit` + 1 sessions, as `TraceStore.list`. */
  list(listing: SessionListing): Promise<Session[]>;

  count(selection: SessionSelection): Promise<number>;

  /**
   * The traces of a session without their spans, by creation time, then id: up to `limit` + 1 of them from
   * `starting_token` on, each with the number of its records, itself among them. Empty for an unknown session.
   */
  listTraces(
    session: Pick<StoredSession, 'project_id' | 'run_id' | 'id'>,
    page: { readonly starting_token: number; readonly limit: number },
  ): Promise<TraceOfSession[]>;

  /**
   * Removes sessions with their traces, spans and scores, and returns how much that was. What is written meanwhile may
   * stay. Works in steps, as `RecordRemoval` does: a repeat goes on where a failure ended it.
   */
  remove(selection: SessionSelection): Promise<RemovalCounts>;
}

export interface TraceOfSession {
  readonly trace_id: LogRecord['id'];
  readonly num_records: number;
  /** Of the large fields of all of its records. */
  readonly num_bytes: number;
}
