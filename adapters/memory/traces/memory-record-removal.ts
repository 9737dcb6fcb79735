import type { RecordRemoval, RemovalCounts } from '../../../core/traces/retention/record-removal.ts';
import type { MemoryScoreStore } from '../scorers/memory-score-store.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

export interface MemoryRemovalDeps {
  readonly traceStore: MemoryTraceStore;
  readonly scoreStore: MemoryScoreStore;
  /** Removes those of the sessions that nobody created and that have no traces; returns how many. */
  removeEmptySessions(project_id: string, run_id: string, session_ids: readonly string[]): Promise<number>;
}

export class MemoryRecordRemoval implements RecordRemoval {
  readonly #deps: MemoryRemovalDeps;

  constructor(deps: MemoryRemovalDeps) {
    this.#deps = deps;
  }

  async removeTraces(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RemovalCounts> {
    const doomed = this.#deps.traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => trace_ids.includes(trace_id));
    const gone = this.#remove(
      project_id,
      run_id,
      doomed.map(({ id }) => id),
    );
    const traces = gone.filter(({ type }) => type === 'trace');
    const session_ids = traces.filter(({ id, session_id }) => session_id !== id).map(({ session_id }) => session_id);
    const sessions = await this.#deps.removeEmptySessions(project_id, run_id, [...new Set(session_ids)]);
    return { traces: traces.length, spans: gone.length - traces.length, sessions };
  }

  async removeSpans(project_id: string, run_id: string, span_ids: readonly string[]): Promise<RemovalCounts> {
    const spans = this.#deps.traceStore.toRecords(project_id, run_id).filter(({ type }) => type !== 'trace');
    const ids = spans.map(({ id }) => id).filter((id) => span_ids.includes(id));
    const gone = this.#remove(project_id, run_id, ids);
    const parents = gone.map(({ parent_id }) => parent_id).filter((id) => id !== null);
    this.#deps.traceStore.markChildless(project_id, run_id, parents);
    return { traces: 0, spans: gone.length, sessions: 0 };
  }

  #remove(project_id: string, run_id: string, ids: readonly string[]) {
    this.#deps.scoreStore.remove(project_id, run_id, ids);
    return this.#deps.traceStore.remove(project_id, run_id, ids);
  }
}
