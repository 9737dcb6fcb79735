import type { StoredHealthScore } from '../../../core/health/health-score.ts';
import type { HealthStore } from '../../../core/health/health-store.ts';
import type { HealthScoreType } from '../../../core/health/health-type.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryHealthStore implements HealthStore {
  readonly #scores: Table<string, StoredHealthScore>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#scores = database.table();
  }

  async put(score: StoredHealthScore): Promise<void> {
    const { scorer_version_id, dataset_id, health_score_type, with_overlay } = score;
    const key = `${scorer_version_id} ${dataset_id} ${health_score_type} ${with_overlay}`;
    this.#scores.set(key, structuredClone({ ...score, id: this.#scores.get(key)?.id ?? score.id }));
  }

  async list(scorer_id: string, dataset_id: string, health_score_type?: HealthScoreType): Promise<StoredHealthScore[]> {
    const found = [...this.#scores.values()].filter(
      (score) =>
        score.scorer_id === scorer_id &&
        score.dataset_id === dataset_id &&
        (health_score_type === undefined || score.health_score_type === health_score_type),
    );
    return structuredClone(
      found.sort(
        (a, b) =>
          a.scorer_version_number - b.scorer_version_number ||
          compareText(a.health_score_type, b.health_score_type) ||
          Number(a.with_overlay) - Number(b.with_overlay),
      ),
    );
  }
}
