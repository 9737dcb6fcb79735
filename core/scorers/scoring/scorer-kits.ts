import type { ScorerKit } from '../../plugin-sdk/index.ts';

/** Stands for the project of a use that belongs to none, such as a trial on samples: whoever tries pays. */
export const NO_PROJECT = '00000000-0000-0000-0000-000000000000';

/** Whose models a scorer uses, and what their calls are counted to. */
export interface ModelUse {
  readonly project_id: string;
  readonly run_id: string;
  readonly scorer_id: string;
  readonly scorer_version_id: string;
  /** Whose integrations; null when nobody is known, and then there are no models. */
  readonly user_id: string | null;
  /** US dollars that the scorer may spend in this run on one day, UTC; null for any. */
  readonly daily_budget: number | null;
  /** Whether no answer may come from the cache, nor go into it. */
  readonly fresh?: boolean;
  /** Whether the scorer itself is looked at: its calls are counted as an audit's, and fail where a score would wait. */
  readonly is_audit?: boolean;
}

/** Services for scorers in the course of one job. An integration whose credentials are refused is left alone for its rest. */
export type KitOf = (use: ModelUse, signal: AbortSignal) => ScorerKit;

export interface ScorerKits {
  forJob(): KitOf;
}
