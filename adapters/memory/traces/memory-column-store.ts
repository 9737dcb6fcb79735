import type { JsonValue } from '../../../core/kernel/json.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import { findColumn } from '../../../core/traces/columns/column.ts';
import type { ColumnStore, RunWindow } from '../../../core/traces/columns/column-store.ts';
import { isFilled } from '../../../core/traces/columns/filled-column.ts';
import { type ObservedColumn, ObservedColumns } from '../../../core/traces/columns/observed-columns.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { ScoredRecords } from '../scorers/scored-records.ts';

export class MemoryColumnStore implements ColumnStore {
  readonly #deps: ScoredRecords;
  readonly #known = new ObservedColumns();
  /** By project and run. */
  readonly #seen = new Map<string, Map<string, ObservedColumn[]>>();

  constructor(deps: ScoredRecords) {
    this.#deps = deps;
  }

  /** Called with every record that is stored. */
  note(records: readonly LogRecord[]): void {
    const columns = this.#known.unknownIn(records);
    for (const { project_id, run_id, ...column } of columns) this.#of(project_id, run_id).push(column);
    this.#known.remember(columns);
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    if (run_id === undefined) this.#seen.delete(project_id);
    else this.#seen.get(project_id)?.delete(run_id);
  }

  async seen(project_id: string, run_id: string): Promise<ObservedColumn[]> {
    return (this.#seen.get(project_id)?.get(run_id) ?? []).map((column) => ({ ...column }));
  }

  async filled(window: RunWindow, column_ids: readonly string[]): Promise<Set<string>> {
    const records = this.#records(window);
    const isColumnFilled = (id: string): boolean => {
      const column = findColumn(id);
      const applies = (record: LogRecord): boolean => id.includes('/') || (column?.applies_to.includes(record.type) ?? false);
      return records.some((record) => applies(record) && isFilled(column?.value(record, () => null) ?? null));
    };
    return new Set(column_ids.filter(isColumnFilled));
  }

  async scored(window: RunWindow, metric_names: readonly string[]): Promise<Map<string, JsonValue>> {
    const names = new Set(metric_names);
    const ids = this.#records(window).map(({ id }) => id);
    const scores = await this.#deps.scoreStore.list(window.project_id, window.run_id, ids);
    const known = scores.filter(({ metric_name, value }) => value !== null && names.has(metric_name));
    return new Map(known.map(({ metric_name, value }) => [metric_name, value]));
  }

  #of(project_id: string, run_id: string): ObservedColumn[] {
    const runs = this.#seen.get(project_id) ?? new Map<string, ObservedColumn[]>();
    const columns = runs.get(run_id) ?? [];
    this.#seen.set(project_id, runs.set(run_id, columns));
    return columns;
  }

  #records({ project_id, run_id, start_time, end_time }: RunWindow): LogRecord[] {
    const isWithin = ({ created_at }: LogRecord): boolean =>
      !(start_time !== undefined && isBefore(created_at, start_time)) &&
      !(end_time !== undefined && isBefore(end_time, created_at));
    return this.#deps.traceStore.toRecords(project_id, run_id).filter(isWithin);
  }
}
