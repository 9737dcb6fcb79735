import type { Score } from '../../scores/score.ts';
import type { JudgeCallView } from './judge-call.ts';

/** Of a trace or span, or of a session. */
export type ScoreLevel = 'record' | 'session';

export type ScoreKey = Pick<Score, 'project_id' | 'run_id' | 'record_id' | 'scorer_version_id'> & { readonly of: ScoreLevel };

/** The calls of models that one score was made of. */
export interface ScoreCalls extends ScoreKey {
  /** The state of what was judged, as the score has it. */
  readonly judged: string | null;
  readonly calls: readonly JudgeCallView[];
  readonly kept_at: string;
}

/** Calls of models, kept beside the scores that were made of them: they go with the record, and after some days without it. */
export interface JudgeCallStore {
  /** Keeps calls in place of those that were kept for the same scores. Those of records that are gone are dropped. */
  keep(all: readonly ScoreCalls[]): Promise<void>;
  /** Undefined when none are kept. */
  find(key: ScoreKey): Promise<ScoreCalls | undefined>;
  /** Removes up to `limit` of those that were kept before a time. Returns how many. */
  removeKeptBefore(time: string, limit: number): Promise<number>;
}
