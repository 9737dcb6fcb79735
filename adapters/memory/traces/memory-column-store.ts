import type { JsonValue } from '../../../core/kernel/json.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import { toRatingColumnId } from '../../../core/ratings/rating-column.ts';
import { findColumn, NOT_JUDGED } from '../../../core/traces/columns/column.ts';
import type { ColumnStore, RatedColumn, RunWindow } from '../../../core/traces/columns/column-store.ts';
import { isFilled } from '../../../core/traces/columns/filled-column.ts';
import { type NewColumn, type ObservedColumn, ObservedColumns } from '../../../core/traces/columns/observed-columns.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { SessionStore } from '../../../core/traces/sessions/session-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { MemoryRatingStore } from '../ratings/memory-rating-store.ts';
import type { ScoredRecords } from '../scorers/scored-records.ts';
import type { Table } from '../table.ts';

const getKey = ({ project_id, run_id }: { project_id: string; run_id: string }): string => `${project_id} ${run_id}`;

export interface MemoryColumnDeps extends ScoredRecords {
  readonly ratingStore: Pick<MemoryRatingStore, 'columnsOf'>;
  readonly sessionStore: Pick<SessionStore, 'find'>;
}

export class MemoryColumnStore implements ColumnStore {
  readonly #deps: MemoryColumnDeps;
  /** By project and run. */
  readonly #seen: Table<string, readonly NewColumn[]>;

  constructor(deps: MemoryColumnDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#seen = deps.database.table();
  }

  /** Called with every record that is stored. */
  note(records: readonly LogRecord[]): void {
    const known = new ObservedColumns();
    for (const key of new Set(records.map(getKey))) known.remember(this.#seen.get(key) ?? []);
    const columns = Map.groupBy(known.unknownIn(records), getKey);
    for (const [key, fresh] of columns) this.#seen.set(key, [...(this.#seen.get(key) ?? []), ...fresh]);
  }

  /** Of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string): void {
    for (const [key, [column]] of this.#seen)
      if (column?.project_id === project_id && (run_id === undefined || column.run_id === run_id)) this.#seen.delete(key);
  }

  async seen(project_id: string, run_id: string): Promise<ObservedColumn[]> {
    const columns = this.#seen.get(getKey({ project_id, run_id })) ?? [];
    return columns.map(({ project_id: _project, run_id: _run, ...column }) => column);
  }

  async filled(window: RunWindow, column_ids: readonly string[]): Promise<Set<string>> {
    const records = this.#records(window);
    const isColumnFilled = (id: string): boolean => {
      const column = findColumn(id);
      const applies = (record: LogRecord): boolean => id.includes('/') || (column?.applies_to.includes(record.type) ?? false);
      return records.some((record) => applies(record) && isFilled(column?.value(record, NOT_JUDGED) ?? null));
    };
    return new Set(column_ids.filter(isColumnFilled));
  }

  async rated(window: RunWindow, of: 'records' | 'sessions'): Promise<RatedColumn[]> {
    const found = new Map<string, RatedColumn>();
    for (const { record_id, column, type: rating_type } of this.#deps.ratingStore.columnsOf(window)) {
      const created_at = await this.#createdAt(window, of, record_id);
      if (created_at === undefined) continue;
      const column_id = toRatingColumnId(column);
      const key = `${rating_type} ${column_id}`;
      const is_filled = (found.get(key)?.is_filled ?? false) || isWithin(window, { created_at });
      found.set(key, { column_id, rating_type, is_filled });
    }
    return [...found.values()];
  }

  async #createdAt({ project_id, run_id }: RunWindow, of: 'records' | 'sessions', id: string): Promise<string | undefined> {
    if (of === 'sessions') return (await this.#deps.sessionStore.find(project_id, id, run_id))?.created_at;
    return this.#deps.traceStore.toRecords(project_id, run_id).find((record) => record.id === id)?.created_at;
  }

  async scored(window: RunWindow, metric_names: readonly string[]): Promise<Map<string, JsonValue>> {
    const names = new Set(metric_names);
    const ids = this.#records(window).map(({ id }) => id);
    const scores = await this.#deps.scoreStore.list(window.project_id, window.run_id, ids);
    const known = scores.filter(({ metric_name, value }) => value !== null && names.has(metric_name));
    return new Map(known.map(({ metric_name, value }) => [metric_name, value]));
  }

  #records(window: RunWindow): LogRecord[] {
    const { project_id, run_id } = window;
    return this.#deps.traceStore.toRecords(project_id, run_id).filter((record) => isWithin(window, record));
  }
}

const isWithin = ({ start_time, end_time }: RunWindow, { created_at }: Pick<LogRecord, 'created_at'>): boolean =>
  !(start_time !== undefined && isBefore(created_at, start_time)) && !(end_time !== undefined && isBefore(end_time, created_at));
