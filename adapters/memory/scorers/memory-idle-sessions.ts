import type { Clock } from '../../../core/kernel/ports.ts';
import type { IdleSessions } from '../../../core/scorers/scoring/idle-sessions.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Changed {
  readonly project_id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly changed_at: number;
}

export class MemoryIdleSessions implements IdleSessions {
  readonly #clock: Clock;
  readonly #enqueue: (job: ScoringJob) => void;
  readonly #changed: Table<string, Changed>;

  constructor({ database, clock, enqueue }: { database: MemoryDatabase; clock: Clock; enqueue: (job: ScoringJob) => void }) {
    this.#clock = clock;
    this.#enqueue = enqueue;
    this.#changed = database.table();
  }

  async note(project_id: string, run_id: string, session_ids: readonly string[]): Promise<void> {
    const changed_at = this.#clock().getTime();
    for (const session_id of session_ids)
      this.#changed.set(`${project_id} ${run_id} ${session_id}`, { project_id, run_id, session_id, changed_at });
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [key, changed] of this.#changed)
      if (changed.project_id === project_id && (run_id === undefined || changed.run_id === run_id)) this.#changed.delete(key);
  }

  async release(idle_seconds: number): Promise<{ released: number; more: boolean }> {
    const before = this.#clock().getTime() - idle_seconds * 1_000;
    const due = [...this.#changed].filter(([, { changed_at }]) => changed_at < before);
    for (const [key] of due) this.#changed.delete(key);
    const byRun = Map.groupBy(due, ([, { project_id, run_id }]) => `${project_id} ${run_id}`);
    for (const sessions of byRun.values()) {
      const [, { project_id, run_id }] = sessions[0]!;
      this.#enqueue({ project_id, run_id, trace_ids: [], session_ids: sessions.map(([, { session_id }]) => session_id) });
    }
    return { released: due.length, more: false };
  }
}
