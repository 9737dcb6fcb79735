import type { Rescoring } from '../../../core/scorers/recompute/recompute.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';
import type { MemoryScoreStore } from './memory-score-store.ts';

export interface MemoryRescoringDeps {
  readonly traceStore: MemoryTraceStore;
  readonly scoreStore: MemoryScoreStore;
  readonly sessionScoreStore: MemoryScoreStore;
  enqueue(job: ScoringJob): void;
}

export class MemoryRescoring implements Rescoring {
  readonly #deps: MemoryRescoringDeps;

  constructor(deps: MemoryRescoringDeps) {
    this.#deps = deps;
  }

  async rescore(
    project_id: string,
    run_id: string,
    trace_ids: readonly string[],
    scorer_ids: readonly string[],
    until: string,
  ): Promise<number> {
    const { traceStore, scoreStore, sessionScoreStore, enqueue } = this.#deps;
    const records = traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => trace_ids.includes(trace_id));
    const ids = records.map(({ id }) => id);
    const sessions = records.filter(({ type }) => type === 'trace').map(({ session_id }) => session_id);
    const ofSessions = sessionScoreStore.remove(project_id, run_id, sessions, scorer_ids, until);
    const removed = scoreStore.remove(project_id, run_id, ids, scorer_ids, until) + ofSessions;
    if (trace_ids.length > 0) enqueue({ project_id, run_id, trace_ids });
    return removed;
  }
}
