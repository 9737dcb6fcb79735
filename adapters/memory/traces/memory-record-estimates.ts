import type { RecordEstimates } from '../../../core/traces/read/record-estimates.ts';
import { type RecordSelection, requiredFilters } from '../../../core/traces/record-query.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

const NARROWING = new Set(['id', 'trace_id', 'session_id', 'created_at', 'words']);

/** Counts the records that are left by the conditions that narrow a query down on PostgreSQL. */
export class MemoryRecordEstimates implements RecordEstimates {
  readonly #traceStore: Pick<MemoryTraceStore, 'count'>;

  constructor({ traceStore }: { traceStore: Pick<MemoryTraceStore, 'count'> }) {
    this.#traceStore = traceStore;
  }

  async estimate(selection: RecordSelection, enough: number): Promise<number> {
    const total = await this.#traceStore.count({ ...selection, where: { and: [] } });
    if (total <= enough) return total;
    const narrowing = requiredFilters(selection.where).filter(({ column_id }) => NARROWING.has(column_id));
    return this.#traceStore.count({ ...selection, where: { and: narrowing.map((filter) => ({ filter })) } });
  }
}
