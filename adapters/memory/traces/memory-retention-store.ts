import type { RecordSelection } from '../../../core/traces/record-query.ts';
import { NEWEST_FIRST } from '../../../core/traces/record-query.ts';
import type { RetentionPreview, RetentionRule } from '../../../core/traces/retention/retention.ts';
import type { RetentionStore } from '../../../core/traces/retention/retention-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

export interface MemoryRetentionDeps {
  readonly traceStore: MemoryTraceStore;
  /** Of the sessions those that nobody created. */
  derivedSessions(project_id: string, run_id: string, session_ids: readonly string[]): Promise<readonly string[]>;
}

export class MemoryRetentionStore implements RetentionStore {
  readonly #deps: MemoryRetentionDeps;
  readonly #rules: Table<string, RetentionRule>;

  constructor(deps: MemoryRetentionDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#rules = deps.database.table();
  }

  async listRules(project_id: string): Promise<RetentionRule[]> {
    return structuredClone([...this.#rules.values()].filter((rule) => rule.project_id === project_id));
  }

  async listProjects(): Promise<string[]> {
    return [...new Set([...this.#rules.values()].map(({ project_id }) => project_id))];
  }

  async setRule(project_id: string, run_id: string | null, days: number | null): Promise<void> {
    const key = `${project_id} ${run_id}`;
    if (days === null) this.#rules.delete(key);
    else this.#rules.set(key, { project_id, run_id, days });
  }

  async preview(selection: RecordSelection): Promise<RetentionPreview> {
    const { project_id, run_id } = selection;
    const page = { sort: NEWEST_FIRST, starting_token: 0, limit: Number.MAX_SAFE_INTEGER - 1, after: undefined };
    const doomed = await this.#deps.traceStore.list({ ...selection, ...page });
    const ids = new Set(doomed.map(({ id }) => id));
    const records = this.#deps.traceStore.toRecords(project_id, run_id);
    const spans = records.filter(({ type, trace_id }) => type !== 'trace' && ids.has(trace_id)).length;
    const staying = new Set(
      records.filter(({ type, id }) => type === 'trace' && !ids.has(id)).map(({ session_id }) => session_id),
    );
    const hit = new Set(doomed.filter(({ id, session_id }) => id !== session_id).map(({ session_id }) => session_id));
    const sessions = await this.#deps.derivedSessions(project_id, run_id, [...hit.difference(staying)]);
    return { traces: ids.size, spans, sessions: sessions.length };
  }
}
