import type { NewScore, Score } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { JudgeCallView } from './judge-call.ts';
import type { JudgeCallStore, ScoreCalls } from './judge-call-store.ts';

/** Stored scores without one, which is made again: the new one is kept here, and its calls, and nothing is stored. */
export class ReplayedScores implements ScoreStore, Pick<JudgeCallStore, 'keep'> {
  readonly #stored: ScoreStore;
  readonly #without: Score;
  #made: NewScore | undefined;
  #calls: readonly JudgeCallView[] = [];

  constructor(stored: ScoreStore, without: Score) {
    this.#stored = stored;
    this.#without = without;
  }

  get made(): NewScore | undefined {
    return this.#made;
  }

  get calls(): readonly JudgeCallView[] {
    return this.#calls;
  }

  async insert(scores: readonly NewScore[]): Promise<number> {
    this.#made = scores[0];
    return scores.length;
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]> {
    const scores = await this.#stored.list(project_id, run_id, record_ids);
    return scores.filter(({ scorer_version_id }) => scorer_version_id !== this.#without.scorer_version_id);
  }

  async keep(all: readonly ScoreCalls[]): Promise<void> {
    this.#calls = all[0]?.calls ?? [];
  }
}
