import type { JudgeCallStore, ScoreCalls, ScoreKey } from '../../../core/scorers/evidence/judge-call-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type RecordExists = (key: ScoreKey) => Promise<boolean>;

const getKey = ({ project_id, run_id, record_id, scorer_version_id, of }: ScoreKey): string =>
  `${project_id} ${run_id} ${record_id} ${scorer_version_id} ${of}`;

export class MemoryJudgeCallStore implements JudgeCallStore {
  readonly #kept: Table<string, ScoreCalls>;
  readonly #recordExists: RecordExists;

  constructor({ database, recordExists }: { database: MemoryDatabase; recordExists: RecordExists }) {
    this.#kept = database.table();
    this.#recordExists = recordExists;
  }

  async keep(all: readonly ScoreCalls[]): Promise<void> {
    for (const one of all) if (await this.#recordExists(one)) this.#kept.set(getKey(one), structuredClone(one));
  }

  async find(key: ScoreKey): Promise<ScoreCalls | undefined> {
    if (!(await this.#recordExists(key))) this.#kept.delete(getKey(key));
    return structuredClone(this.#kept.get(getKey(key)));
  }

  async removeKeptBefore(time: string, limit: number): Promise<number> {
    const old = [...this.#kept].filter(([, { kept_at }]) => kept_at < time).slice(0, limit);
    for (const [key] of old) this.#kept.delete(key);
    return old.length;
  }
}
