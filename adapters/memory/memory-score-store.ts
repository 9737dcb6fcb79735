import type { JsonValue } from '../../core/kernel/json.ts';
import { sortableTime } from '../../core/kernel/timestamp.ts';
import type { Score } from '../../core/scorers/score.ts';
import type { ScoreStore } from '../../core/scorers/score-store.ts';
import type { LogRecord } from '../../core/traces/record.ts';

const keyOf = (score: Score): string => `${score.project_id} ${score.run_id} ${score.record_id} ${score.scorer_version_id}`;

const orderOf = ({ scored_at, scorer_version_id }: Score): string => `${sortableTime(scored_at)} ${scorer_version_id}`;

export class MemoryScoreStore implements ScoreStore {
  readonly #scores = new Map<string, Score>();
  readonly #recordExists: (project_id: string, run_id: string, record_id: string) => boolean;

  constructor({ recordExists }: { recordExists: (project_id: string, run_id: string, record_id: string) => boolean }) {
    this.#recordExists = recordExists;
  }

  async insert(scores: readonly Score[]): Promise<void> {
    for (const score of scores) {
      const exists = this.#recordExists(score.project_id, score.run_id, score.record_id);
      if (exists && !this.#scores.has(keyOf(score))) this.#scores.set(keyOf(score), structuredClone(score));
    }
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]> {
    const found = [...this.#scores.values()].filter(
      (score) => score.project_id === project_id && score.run_id === run_id && record_ids.includes(score.record_id),
    );
    return structuredClone(found.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)));
  }

  /** What the newest score of this name says of a record; null where there is none. */
  newest({ project_id, run_id, id }: LogRecord, metric_name: string): JsonValue {
    const found = [...this.#scores.values()].filter(
      (score) =>
        score.project_id === project_id && score.run_id === run_id && score.record_id === id && score.metric_name === metric_name,
    );
    return (
      found.reduce<Score | undefined>((last, score) => (last && orderOf(last) > orderOf(score) ? last : score), undefined)
        ?.value ?? null
    );
  }

  /** Of the given records, by the given scorers or by all; answers how many. */
  remove(project_id: string, run_id: string, record_ids: readonly string[], scorer_ids?: readonly string[]): number {
    const before = this.#scores.size;
    for (const [key, score] of this.#scores) {
      const isTheirs = score.project_id === project_id && score.run_id === run_id && record_ids.includes(score.record_id);
      if (isTheirs && (scorer_ids?.includes(score.scorer_id) ?? true)) this.#scores.delete(key);
    }
    return before - this.#scores.size;
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [key, score] of this.#scores) {
      if (score.project_id === project_id && (run_id === undefined || score.run_id === run_id)) this.#scores.delete(key);
    }
  }
}
