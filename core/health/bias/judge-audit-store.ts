import type { StoredAudit } from './judge-audit.ts';

/** How an audit ends. */
export type AuditEnd = Pick<StoredAudit, 'status' | 'message' | 'report'> & { readonly finished_at: string };

/** Audits kept for each version: the newest. */
export const AUDITS_KEPT = 5;

/** Audits of the versions of scorers. Values handed in or out belong to the caller. */
export interface JudgeAuditStore {
  /**
   * Stores an audit that is running, and removes the oldest of its version beyond `AUDITS_KEPT`. Rejects with AppError `conflict` when the version
   * has one that is running; of two at once one is stored.
   */
  insert(audit: StoredAudit): Promise<void>;
  find(scorer_id: string, id: string): Promise<StoredAudit | undefined>;
  /** Newest first, of one version where it is named. */
  list(scorer_id: string, scorer_version_id?: string): Promise<StoredAudit[]>;
  /** Ends an audit that is running. Returns whether it was: the first end counts. */
  end(id: string, end: AuditEnd): Promise<boolean>;
  /** Removes all audits of a scorer. */
  removeOfScorer(scorer_id: string): Promise<void>;
}
