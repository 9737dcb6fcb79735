import type { SpanLog } from '../../../core/otel/logs/span-log.ts';
import type { SpanLogSize, SpanLogStore } from '../../../core/otel/logs/span-log-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { RunExists } from '../projects/run-exists.ts';
import type { Table } from '../table.ts';

interface Row {
  readonly project_id: string;
  readonly run_id: string;
  readonly received_at: string;
  readonly log: SpanLog;
}

const getKey = (project_id: string, run_id: string, { span_id, id }: SpanLog): string =>
  `${project_id} ${run_id} ${span_id} ${id}`;

export class MemorySpanLogStore implements SpanLogStore {
  readonly #rows: Table<string, Row>;
  readonly #runExists: RunExists;

  constructor({ database, runExists }: { database: MemoryDatabase; runExists: RunExists }) {
    this.#rows = database.table();
    this.#runExists = runExists;
  }

  async insert(project_id: string, run_id: string, logs: readonly SpanLog[], received_at: string): Promise<void> {
    if (!(await this.#runExists(project_id, run_id))) return;
    for (const log of logs) {
      const key = getKey(project_id, run_id, log);
      if (!this.#rows.has(key)) this.#rows.set(key, { project_id, run_id, received_at, log: structuredClone(log) });
    }
  }

  async list(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLog[]>> {
    const logs = this.#toRows(project_id, run_id, span_ids).map(({ log }) => structuredClone(log));
    logs.sort((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)));
    return Map.groupBy(logs, ({ span_id }) => span_id);
  }

  async sizes(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLogSize>> {
    const bySpan = Map.groupBy(this.#toRows(project_id, run_id, span_ids), ({ log }) => log.span_id);
    const characters = (rows: readonly Row[]) => rows.reduce((sum, { log }) => sum + JSON.stringify(log).length, 0);
    return new Map([...bySpan].map(([id, rows]) => [id, { logs: rows.length, characters: characters(rows) }]));
  }

  async removeReceivedBefore(time: string, limit: number): Promise<number> {
    const old = [...this.#rows].filter(([, { received_at }]) => received_at < time).slice(0, limit);
    for (const [key] of old) this.#rows.delete(key);
    return old.length;
  }

  /** Those of records that are removed, or of a whole run. */
  removeAll(project_id: string, run_id: string | undefined, span_ids?: readonly string[]): void {
    for (const [key, row] of this.#rows) {
      if (row.project_id !== project_id || (run_id !== undefined && row.run_id !== run_id)) continue;
      if (span_ids === undefined || span_ids.includes(row.log.span_id)) this.#rows.delete(key);
    }
  }

  #toRows(project_id: string, run_id: string, span_ids: readonly string[]): Row[] {
    const wanted = new Set(span_ids);
    return [...this.#rows.values()].filter(
      (row) => row.project_id === project_id && row.run_id === run_id && wanted.has(row.log.span_id),
    );
  }
}
