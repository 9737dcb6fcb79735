import type { Evidence, Validation } from './validation.ts';

/** Trials of candidates. Values handed in or out belong to the caller. */
export interface ValidationStore {
  /** Joins the transaction under way. Rejects with AppError `conflict` when the id is taken. */
  insert(validation: Validation): Promise<void>;
  find(id: string): Promise<Validation | undefined>;
  /** The trial that a version was made from. */
  findByVersion(scorer_version_id: string): Promise<Validation | undefined>;
  /** An unknown id is not an error. */
  finish(id: string, evidence: Evidence): Promise<void>;
  /** Says which version was made of the candidate. */
  link(id: string, scorer_version_id: string): Promise<void>;
  /** Trials made before a timestamp that still have a run, the oldest first. */
  listWithRunBefore(created_at: string, limit: number): Promise<Validation[]>;
  /** The run of a trial is gone. */
  forgetRun(id: string): Promise<void>;
  /** Removes trials made before a timestamp that have no run and of which no version was made. */
  removeUnusedBefore(created_at: string): Promise<void>;
}
