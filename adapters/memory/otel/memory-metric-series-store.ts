import { AppError } from '../../../core/kernel/errors.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import {
  type Amount,
  joinAmounts,
  type MetricSeries,
  type SeriesHour,
  type StreamState,
} from '../../../core/otel/metrics/metric-series.ts';
import type {
  DimensionCondition,
  KnownStreams,
  MetricChange,
  MetricName,
  MetricSeriesQuery,
  MetricSeriesStore,
  SeriesNumbers,
} from '../../../core/otel/metrics/metric-series-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { RunExists } from '../projects/run-exists.ts';
import type { Table } from '../table.ts';

interface RunKey {
  readonly project_id: string;
  readonly run_id: string;
}
type SeriesRow = RunKey & { readonly series: MetricSeries; readonly last_at: string };
type StreamRow = RunKey & { readonly state: StreamState; readonly last_at: string };
type HourRow = RunKey & SeriesHour;

export class MemoryMetricSeriesStore implements MetricSeriesStore {
  readonly #database: MemoryDatabase;
  readonly #series: Table<string, SeriesRow>;
  readonly #streams: Table<string, StreamRow>;
  readonly #hours: Table<string, HourRow>;
  readonly #runExists: RunExists;

  constructor({ database, runExists }: { database: MemoryDatabase; runExists: RunExists }) {
    this.#database = database;
    this.#series = database.table();
    this.#streams = database.table();
    this.#hours = database.table();
    this.#runExists = runExists;
  }

  async update(
    run: RunKey,
    asked: { readonly streams: readonly string[]; readonly series: readonly string[] },
    change: (known: KnownStreams) => MetricChange,
  ): Promise<void> {
    if (!(await this.#runExists(run.project_id, run.run_id)))
      throw new AppError('not_found', 'run_not_found', `project ${run.project_id} has no run ${run.run_id}`);
    this.#database.hold();
    const known = <Row>(table: Table<string, Row>, ids: readonly string[]): [string, Row][] =>
      ids.flatMap((id): [string, Row][] => {
        const row = table.get(toKey(run, id));
        return row === undefined ? [] : [[id, row]];
      });
    const streams = known(this.#streams, asked.streams).map(([id, { state }]) => [id, structuredClone(state)] as const);
    const series = known(this.#series, asked.series).map(([id]) => id);
    const count = (table: Table<string, RunKey>) => [...table.values()].filter(isOf({ project_id: run.project_id })).length;
    this.#put(
      run,
      change({
        streams: new Map(streams),
        series: new Set(series),
        num_streams: count(this.#streams),
        num_series: count(this.#series),
      }),
    );
  }

  async aggregate(query: MetricSeriesQuery): Promise<{ rows: SeriesNumbers[]; groups: number; hours: number }> {
    const { group_by, from, to, minutes, max_groups, max_hours, with_sketches } = query;
    const fitting = [...this.#series.values()].filter(isOf(query)).map(({ series }) => series);
    const series = new Map(
      fitting
        .filter((one) => one.name === query.name && query.where.every((where) => isMet(where, one)))
        .map((one) => [one.id, one]),
    );
    const hours = [...this.#hours.values()]
      .filter(isOf(query))
      .filter(({ series_id, hour }) => series.has(series_id) && hour >= from && hour < to);
    if (hours.length > max_hours) return { rows: [], groups: 0, hours: hours.length };
    const width = (minutes ?? 1) * 60_000;
    const placed = hours.map((hour) => ({
      hour,
      group: group_by === undefined ? null : series.get(hour.series_id)![group_by],
      bucket: minutes === null ? null : Math.floor(Date.parse(hour.hour) / width) * width,
    }));
    const sizes = [...Map.groupBy(placed, ({ group }) => group)].map(([group, own]) => ({
      group,
      size: own.reduce((sum, { hour }) => sum + hour.count, 0),
    }));
    sizes.sort(
      (a, b) =>
        b.size - a.size || Number(a.group === null) - Number(b.group === null) || compareText(a.group ?? '', b.group ?? ''),
    );
    const shown = new Set(sizes.slice(0, max_groups).map(({ group }) => group));
    const buckets = Map.groupBy(
      placed.filter(({ group }) => shown.has(group)),
      ({ group, bucket }) => JSON.stringify([group, bucket]),
    );
    const rows = [...buckets.values()].map((own): SeriesNumbers => {
      const { group, bucket } = own[0]!;
      const { count, sum, min, max, sketch } = own.map(({ hour }): Amount => hour).reduce((a, b) => joinAmounts(a, b));
      return { group, bucket, count, sum, min, max, sketch: with_sketches ? sketch : null };
    });
    return { rows, groups: sizes.length, hours: hours.length };
  }

  async names(project_id: string, run_id: string): Promise<MetricName[]> {
    const series = [...this.#series.values()].filter(isOf({ project_id, run_id })).map((row) => row.series);
    return [...Map.groupBy(series, ({ name }) => name)]
      .map(([name, own]) => ({ name, unit: own.map(({ unit }) => unit).sort(compareText)[0]! }))
      .sort((a, b) => compareText(a.name, b.name));
  }

  async removeHoursBefore(project_id: string, run_id: string, time: string): Promise<void> {
    const isOfRun = isOf({ project_id, run_id });
    for (const [key, row] of [...this.#hours]) if (isOfRun(row) && row.hour < time) this.#hours.delete(key);
    const left = new Set([...this.#hours.values()].filter(isOfRun).map(({ series_id }) => series_id));
    for (const [key, row] of [...this.#series])
      if (isOfRun(row) && row.last_at < time && !left.has(row.series.id)) this.#series.delete(key);
  }

  async removeStreamsBefore(time: string, limit: number): Promise<number> {
    const old = [...this.#streams].filter(([, { last_at }]) => last_at < time).slice(0, limit);
    for (const [key] of old) this.#streams.delete(key);
    return old.length;
  }

  /** All of a run, or of a project. */
  removeAll(project_id: string, run_id?: string): void {
    const isGone = isOf(run_id === undefined ? { project_id } : { project_id, run_id });
    for (const table of [this.#series, this.#streams, this.#hours] as Table<string, RunKey>[])
      for (const [key, row] of [...table]) if (isGone(row)) table.delete(key);
  }

  #put(run: RunKey, { series, streams, hours, at }: MetricChange): void {
    for (const one of series) {
      const key = toKey(run, one.id);
      this.#series.set(key, { ...run, series: this.#series.get(key)?.series ?? { ...one }, last_at: at });
    }
    for (const { id, state } of streams)
      this.#streams.set(toKey(run, id), { ...run, state: structuredClone(state), last_at: at });
    for (const hour of hours) {
      const key = toKey(run, `${hour.series_id} ${hour.hour}`);
      const before = this.#hours.get(key);
      this.#hours.set(key, { ...run, ...structuredClone(before ? joinAmounts(hour, before) : hour) });
    }
  }
}

const toKey = ({ project_id, run_id }: RunKey, id: string): string => `${project_id} ${run_id} ${id}`;

const isOf =
  ({ project_id, run_id }: { readonly project_id: string; readonly run_id?: string }) =>
  (row: RunKey): boolean =>
    row.project_id === project_id && (run_id === undefined || row.run_id === run_id);

function isMet({ dimension, values, is_in }: DimensionCondition, series: MetricSeries): boolean {
  const value = series[dimension];
  return (value !== null && values.includes(value)) === is_in;
}
