import { compareText } from '../../../core/kernel/query/sort.ts';
import type { ShadowStore } from '../../../core/scorers/shadow/shadow-store.ts';
import type { ShadowTrial } from '../../../core/scorers/shadow/shadow-trial.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { MemoryScoreStore } from '../scorers/memory-score-store.ts';
import type { Table } from '../table.ts';

const getKey = (project_id: string, run_id: string, scorer_id: string): string => `${project_id} ${run_id} ${scorer_id}`;

export class MemoryShadowStore implements ShadowStore {
  readonly #trials: Table<string, ShadowTrial>;
  readonly #scores: MemoryScoreStore;

  constructor({ database, shadowScoreStore }: { database: MemoryDatabase; shadowScoreStore: MemoryScoreStore }) {
    this.#scores = shadowScoreStore;
    this.#trials = database.table();
  }

  async put(trial: ShadowTrial): Promise<void> {
    const { project_id, run_id, scorer_id, scorer_version_id } = trial;
    const before = this.#trials.get(getKey(project_id, run_id, scorer_id));
    if (before?.scorer_version_id !== scorer_version_id) this.#forget(project_id, run_id, scorer_id);
    this.#trials.set(getKey(project_id, run_id, scorer_id), { ...trial });
  }

  async find(project_id: string, run_id: string, scorer_id: string): Promise<ShadowTrial | undefined> {
    return structuredClone(this.#trials.get(getKey(project_id, run_id, scorer_id)));
  }

  async list(project_id: string, run_id: string): Promise<ShadowTrial[]> {
    return structuredClone([...this.#trials.values()].filter((one) => one.project_id === project_id && one.run_id === run_id));
  }

  async remove(project_id: string, run_id: string, scorer_id: string): Promise<boolean> {
    this.#forget(project_id, run_id, scorer_id);
    return this.#trials.delete(getKey(project_id, run_id, scorer_id));
  }

  async scoredIds(
    { project_id, run_id, scorer_version_id }: Pick<ShadowTrial, 'project_id' | 'run_id' | 'scorer_version_id'>,
    after: string | undefined,
    limit: number,
  ): Promise<string[]> {
    return this.#scores
      .ofRun(project_id, run_id)
      .filter((score) => score.scorer_version_id === scorer_version_id)
      .map(({ record_id }) => record_id)
      .filter((id) => after === undefined || compareText(id, after) > 0)
      .sort(compareText)
      .slice(0, limit);
  }

  removeAll(project_id: string, run_id?: string): void {
    for (const [key, trial] of this.#trials)
      if (trial.project_id === project_id && (run_id === undefined || trial.run_id === run_id)) this.#trials.delete(key);
    this.#scores.removeAll(project_id, run_id);
  }

  #forget(project_id: string, run_id: string, scorer_id: string): void {
    const ids = this.#scores.ofRun(project_id, run_id).map(({ record_id }) => record_id);
    this.#scores.remove(project_id, run_id, ids, [scorer_id]);
  }
}
