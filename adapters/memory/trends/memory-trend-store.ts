import { compareText } from '../../../core/kernel/query/sort.ts';
import { isBefore, sortableTime } from '../../../core/kernel/timestamp.ts';
import { groupByHour, type HourlyMetrics, type RecordMetric } from '../../../core/record-index/hourly.ts';
import { isCounted } from '../../../core/record-index/record-metrics.ts';
import type { MetricSelection, TrendStore } from '../../../core/trends/trend-store.ts';
import { type JudgedRecords, metricsOfRun } from '../scorers/scored-records.ts';

/** Reads the numbers from the records themselves: there is nothing to keep up to date. */
export class MemoryTrendStore implements TrendStore {
  readonly #deps: JudgedRecords;

  constructor(deps: JudgedRecords) {
    this.#deps = deps;
  }

  async hourly({ from, to, ...selection }: MetricSelection, withSketches: boolean): Promise<HourlyMetrics[]> {
    const hours = groupByHour(await this.#selected(selection))
      .filter(({ hour }) => !isBefore(hour, from) && isBefore(hour, to))
      .map((hour) => (withSketches ? hour : { ...hour, sketch: {} }));
    return hours.sort((a, b) => compareText(a.hour, b.hour) || compareText(a.name, b.name) || compareText(a.type, b.type));
  }

  async metrics({ from, to, ...selection }: MetricSelection, limit: number): Promise<RecordMetric[]> {
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
    const numbers = await metricsOfRun(this.#deps, project_id, run_id);
    return [...new Set(numbers.map(({ name }) => name))].sort(compareText);
  }

  async #selected({ project_id, run_id, names, types }: Omit<MetricSelection, 'from' | 'to'>): Promise<RecordMetric[]> {
    const numbers = await metricsOfRun(this.#deps, project_id, run_id);
    return numbers.filter(({ name, type }) => names.includes(name) && (types?.includes(type) ?? true));
  }
}
