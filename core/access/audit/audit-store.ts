import type { AuditEntry, AuditFacts } from './audit.ts';

/** Of a list any of its members. */
export interface AuditQuery {
  readonly actor_id?: string | undefined;
  readonly action?: string | readonly string[] | undefined;
  readonly object_kind?: string | undefined;
  readonly object_id?: string | readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The audit log: lines are added and read, never changed. */
export interface AuditStore {
  /**
   * Adds a line after the last one, inside the transaction under way: it is kept if and only if that commits. Appends
   * wait for each other, so that numbers have no gaps and each line follows on the one before it.
   * `seal` returns the line's hash.
   */
  append(facts: AuditFacts, seal: (sequence: number, previous_hash: string) => string): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery, slice: { readonly offset: number; readonly limit: number }): Promise<AuditEntry[]>;
  /** Up to `limit` lines after a number, oldest first. */
  readAfter(sequence: number, limit: number): Promise<AuditEntry[]>;
}
