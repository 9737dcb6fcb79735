import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { AnswerCache, KeptAnswer } from '../../../core/models/answer-cache.ts';
import type { Completion } from '../../../core/plugin-sdk/index.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryAnswerCache implements AnswerCache {
  readonly #answers: Table<string, KeptAnswer>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#answers = database.table();
  }

  async find(project_id: string, key: string, now: string): Promise<Completion | undefined> {
    const known = this.#answers.get(`${project_id} ${key}`);
    return known && isBefore(now, known.expires_at) ? structuredClone(known.completion) : undefined;
  }

  async keep(answer: KeptAnswer): Promise<void> {
    const at = `${answer.project_id} ${answer.key}`;
    const run_id = this.#answers.get(at)?.run_id ?? answer.run_id;
    this.#answers.set(at, structuredClone({ ...answer, run_id }));
  }

  async forget(now: string): Promise<boolean> {
    for (const [at, { expires_at }] of this.#answers) if (!isBefore(now, expires_at)) this.#answers.delete(at);
    return false;
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [at, answer] of this.#answers)
      if (answer.project_id === project_id && (run_id === undefined || answer.run_id === run_id)) this.#answers.delete(at);
  }
}
