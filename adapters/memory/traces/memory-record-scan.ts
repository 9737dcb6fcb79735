import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { RecordKey, RecordOutline, RecordScan } from '../../../core/traces/read/record-scan.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST, type RecordListing, type RecordSelection } from '../../../core/traces/record-query.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

const PAGE = 100;

/** Walks over what is there when the walk begins. */
export class MemoryRecordScan implements RecordScan {
  readonly #traceStore: MemoryTraceStore;

  constructor({ traceStore }: { traceStore: MemoryTraceStore }) {
    this.#traceStore = traceStore;
  }

  async *records(selection: RecordSelection, sort: RecordListing['sort']): AsyncGenerator<readonly LogRecord[]> {
    const { project_id, run_id } = selection;
    const all = await this.#all(selection, sort);
    for (let at = 0; at < all.length; at += PAGE) {
      const page = all.slice(at, at + PAGE).filter(({ id }) => this.#traceStore.has(project_id, run_id, id));
      if (page.length > 0) yield page;
    }
  }

  async *keys(selection: RecordSelection, size: number): AsyncGenerator<readonly RecordKey[]> {
    const all = await this.#all(selection, NEWEST_FIRST);
    for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size).map(({ id, trace_id }) => ({ id, trace_id }));
  }

  async outlines(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<RecordOutline[]> {
    const wanted = new Set(trace_ids);
    const found = this.#traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => wanted.has(trace_id));
    const rank = ({ trace_id, type, created_at }: LogRecord): string =>
      `${trace_id} ${type === 'trace' ? 0 : 1} ${sortableTime(created_at)}`;
    const ordered = found.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
    return structuredClone(
      ordered.map(({ id, trace_id, parent_id, session_id, type, name, created_at, metrics }) => {
        return { id, trace_id, parent_id, session_id, type, name, created_at, metrics };
      }),
    );
  }

  #all(selection: RecordSelection, sort: RecordListing['sort']): Promise<LogRecord[]> {
    return this.#traceStore.list({ ...selection, sort, starting_token: 0, limit: Number.MAX_SAFE_INTEGER - 1, after: undefined });
  }
}
