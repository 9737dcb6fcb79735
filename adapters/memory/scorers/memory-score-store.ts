import { isBefore, sortableTime } from '../../../core/kernel/timestamp.ts';
import type { NewScore, Score } from '../../../core/scores/score.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type NoteChange = (project_id: string, run_id: string, record_ids: readonly string[]) => void;
type RecordExists = (project_id: string, run_id: string, record_id: string) => boolean | Promise<boolean>;

const getKey = (score: Pick<Score, 'project_id' | 'run_id' | 'record_id' | 'scorer_version_id'>): string =>
  `${score.project_id} ${score.run_id} ${score.record_id} ${score.scorer_version_id}`;

const computeOrder = ({ scored_at, scorer_version_id }: Score): string => `${sortableTime(scored_at)} ${scorer_version_id}`;

export class MemoryScoreStore implements ScoreStore {
  readonly #scores: Table<string, Score>;
  /** How often records had been scored when a recompute took their results away. */
  readonly #counts: Table<string, number>;
  readonly #recordExists: RecordExists;
  readonly #noteChange: NoteChange | undefined;

  constructor(deps: { database: MemoryDatabase; recordExists: RecordExists; noteChange?: NoteChange }) {
    const { database, recordExists, noteChange } = deps;
    this.#noteChange = noteChange;
    this.#recordExists = recordExists;
    this.#scores = database.table();
    this.#counts = database.table();
  }

  async insert(scores: readonly NewScore[]): Promise<number> {
    let stored = 0;
    for (const { replaces, ...score } of scores) {
      if (!(await this.#recordExists(score.project_id, score.run_id, score.record_id))) continue;
      const before = this.#scores.get(getKey(score));
      if (before && (before.judged === null || before.judged !== replaces)) continue;
      const times = before?.times_scored ?? this.#counts.get(getKey(score)) ?? 0;
      this.#scores.set(getKey(score), structuredClone({ ...score, times_scored: times + 1 }));
      this.#noteChange?.(score.project_id, score.run_id, [score.record_id]);
      stored += 1;
    }
    return stored;
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]> {
    const found = [...this.#scores.values()].filter(
      (score) => score.project_id === project_id && score.run_id === run_id && record_ids.includes(score.record_id),
    );
    const exist = await Promise.all(found.map((score) => this.#recordExists(project_id, run_id, score.record_id)));
    for (const [index, score] of found.entries()) if (!exist[index]) this.#scores.delete(getKey(score));
    const there = found.filter((_score, index) => exist[index]);
    return structuredClone(there.sort((a, b) => (computeOrder(a) < computeOrder(b) ? -1 : 1)));
  }

  /** All scores of a project; the objects are the store's own and MUST NOT be changed. */
  toScores(project_id: string): readonly Score[] {
    return [...this.#scores.values()].filter((score) => score.project_id === project_id);
  }

  /** Returns the newest score of this name on a record; undefined where there is none. */
  newest({ project_id, run_id, id }: LogRecord, metric_name: string): Score | undefined {
    const found = [...this.#scores.values()].filter(
      (score) =>
        score.project_id === project_id && score.run_id === run_id && score.record_id === id && score.metric_name === metric_name,
    );
    return found.reduce<Score | undefined>(
      (last, score) => (last && computeOrder(last) > computeOrder(score) ? last : score),
      undefined,
    );
  }

  /** Of the given records, by the given scorers or by all. Up to a timestamp, how often they were scored is kept. Returns how many. */
  remove(
    project_id: string,
    run_id: string,
    record_ids: readonly string[],
    scorer_ids?: readonly string[],
    moment?: string,
  ): number {
    const before = this.#scores.size;
    for (const [key, score] of this.#scores) {
      const isTheirs = score.project_id === project_id && score.run_id === run_id && record_ids.includes(score.record_id);
      const isOld = moment === undefined || !isBefore(moment, score.scored_at);
      if (!isTheirs || !isOld || !(scorer_ids?.includes(score.scorer_id) ?? true)) continue;
      this.#scores.delete(key);
      if (moment !== undefined) this.#counts.set(key, score.times_scored);
    }
    if (moment === undefined)
      for (const [key] of this.#counts)
        if (record_ids.some((id) => key.startsWith(`${project_id} ${run_id} ${id} `))) this.#counts.delete(key);
    return before - this.#scores.size;
  }

  ofRun(project_id: string, run_id: string): Score[] {
    return structuredClone([...this.#scores.values()].filter((one) => one.project_id === project_id && one.run_id === run_id));
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [key, score] of this.#scores) {
      if (score.project_id === project_id && (run_id === undefined || score.run_id === run_id)) this.#scores.delete(key);
    }
  }
}
