import type { Clock } from '../../../core/kernel/ports.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { IdleTraces } from '../../../core/traces/ingest/idle-traces.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

export class MemoryIdleTraces implements IdleTraces {
  readonly #traceStore: MemoryTraceStore;
  readonly #clock: Clock;

  constructor({ traceStore, clock }: { traceStore: MemoryTraceStore; clock: Clock }) {
    this.#traceStore = traceStore;
    this.#clock = clock;
  }

  async complete(idle_seconds: number): Promise<{ completed: number; more: boolean }> {
    const before = new Date(this.#clock().getTime() - idle_seconds * 1000).toISOString();
    let completed = 0;
    for (const { project_id, run_id, id } of this.#traceStore.incompleteTraces()) {
      const own = this.#traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => trace_id === id);
      if (!own.every(({ updated_at }) => isBefore(updated_at, before))) continue;
      const complete = await this.#traceStore.amend(
        project_id,
        run_id,
        id,
        (trace) => ({ ...trace, is_complete: true }),
        () => true,
      );
      if (complete) completed += 1;
    }
    return { completed, more: false };
  }
}
