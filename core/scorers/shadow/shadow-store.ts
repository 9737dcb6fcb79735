import type { ShadowTrial } from './shadow-trial.ts';

/** Candidates on trial, one at most for each scorer of a run. What they say is in a `ScoreStore` of their own. */
export interface ShadowStore {
  /** In place of the trial there may be, whose candidate's scores go unless it is the same. */
  put(trial: ShadowTrial): Promise<void>;
  find(project_id: string, run_id: string, scorer_id: string): Promise<ShadowTrial | undefined>;
  list(project_id: string, run_id: string): Promise<ShadowTrial[]>;
  /** With the candidate's scores. Returns whether there was one. */
  remove(project_id: string, run_id: string, scorer_id: string): Promise<boolean>;
  /** Ids of records that a candidate has scored, in ascending order behind `after`. */
  scoredIds(
    key: Pick<ShadowTrial, 'project_id' | 'run_id' | 'scorer_version_id'>,
    after: string | undefined,
    limit: number,
  ): Promise<string[]>;
}
