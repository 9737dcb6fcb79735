import type { Caller } from '../access/caller.ts';
import type { NewScorerEntry } from '../scorers/settings/metric-settings.ts';

export interface RunRef {
  readonly project_id: string;
  readonly run_id: string;
}

/**
 * Enables scorers on an experiment, in place of those that were. Joins the transaction under way. Rejects with AppError
 * `invalid` when a scorer cannot run, with `forbidden` when the caller may not.
 */
export type ScorerEnabling = (caller: Caller, run: RunRef, scorers: readonly NewScorerEntry[]) => Promise<void>;
