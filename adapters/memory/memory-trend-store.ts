import { compareText } from '../../core/kernel/sort.ts';
import { isBefore, sortableTime } from '../../core/kernel/timestamp.ts';
import type { Score } from '../../core/scorers/score.ts';
import type { LogRecord } from '../../core/traces/record.ts';
import { type HourlyNumbers, hourlyOf, type RecordNumber } from '../../core/trends/hourly.ts';
import { isCounted, numbersOf } from '../../core/trends/record-numbers.ts';
import type { NumberSelection, TrendStore } from '../../core/trends/trend-store.ts';

export interface MemoryTrendDeps {
  recordsOf(project_id: string, run_id: string): readonly LogRecord[];
  scoresOf(project_id: string, run_id: string, record_ids: readonly string[]): Promise<readonly Score[]>;
}

/** Reads the numbers from the records themselves: there is nothing to keep up to date. */
export class MemoryTrendStore implements TrendStore {
  readonly #deps: MemoryTrendDeps;

  constructor(deps: MemoryTrendDeps) {
    this.#deps = deps;
  }

  async hourly({ from, to, ...selection }: NumberSelection, withSketches: boolean): Promise<HourlyNumbers[]> {
    const hours = hourlyOf(await this.#selected(selection))
      .filter(({ hour }) => !isBefore(hour, from) && isBefore(hour, to))
      .map((hour) => (withSketches ? hour : { ...hour, sketch: {} }));
    return hours.sort((a, b) => compareText(a.hour, b.hour) || compareText(a.name, b.name) || compareText(a.type, b.type));
  }

  async numbers({ from, to, ...selection }: NumberSelection, limit: number): Promise<RecordNumber[]> {
    const numbers = await this.#selected(selection);
    return numbers
      .filter(({ name, created_at }) => !isCounted(name) && !isBefore(created_at, from) && isBefore(created_at, to))
      .sort(
        (a, b) =>
          compareText(sortableTime(a.created_at), sortableTime(b.created_at)) ||
          compareText(a.record_id, b.record_id) ||
          compareText(a.name, b.name),
      )
      .slice(0, limit);
  }

  async names(project_id: string, run_id: string): Promise<string[]> {
    const numbers = await this.#all(project_id, run_id);
    return [...new Set(numbers.map(({ name }) => name))].sort(compareText);
  }

  async #selected({ project_id, run_id, names, types }: Omit<NumberSelection, 'from' | 'to'>): Promise<RecordNumber[]> {
    const numbers = await this.#all(project_id, run_id);
    return numbers.filter(({ name, type }) => names.includes(name) && (types?.includes(type) ?? true));
  }

  async #all(project_id: string, run_id: string): Promise<RecordNumber[]> {
    const records = this.#deps.recordsOf(project_id, run_id);
    const scores = await this.#deps.scoresOf(
      project_id,
      run_id,
      records.map(({ id }) => id),
    );
    const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
    return records.flatMap((record) => numbersOf(record, byRecord.get(record.id) ?? []));
  }
}
