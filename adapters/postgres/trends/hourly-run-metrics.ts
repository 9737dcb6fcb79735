import { isByTheHour, OF_CALLS, OF_TRACES, toMetricNumbers } from '../../../core/trends/hourly-metrics.ts';
import type { RunMetrics } from '../../../core/trends/run-metrics.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText } from '../database/text-codec.ts';
import { PostgresTrendStore } from './postgres-trend-store.ts';

type Measure = RunMetrics['measure'];

/** Fewer records are read as fast as their hours, and are exact, and known at once. */
export const MANY_RECORDS = 50_000;

/** The names that a run has results of, each found behind the last one: reading all results would take long. */
const SCORED = `
with recursive scored as (
  (select metric_name from scores where project_id = $1 and run_id = $2 order by metric_name limit 1)
  union all
  select (
    select s.metric_name from scores s where s.project_id = $1 and s.run_id = $2 and s.metric_name > scored.metric_name
    order by s.metric_name limit 1
  ) from scored where scored.metric_name is not null
)
select metric_name from scored where metric_name is not null`;

/** Numbers of runs of many records, from the hourly roll-up. */
export class HourlyRunMetrics {
  readonly #session: PostgresSession;
  readonly #trends: PostgresTrendStore;
  readonly #manyRecords: number;

  constructor({ session, manyRecords }: { session: PostgresSession; manyRecords: number }) {
    this.#session = session;
    this.#trends = new PostgresTrendStore({ session });
    this.#manyRecords = manyRecords;
  }

  /** Undefined where the roll-up does not hold the answer, or is not worth to be asked. */
  async measure(query: Parameters<Measure>[0]): Promise<Awaited<ReturnType<Measure>> | undefined> {
    const { project_id, run_id } = query.selection;
    if (!isByTheHour(query) || !(await this.#hasMany(project_id, run_id))) return undefined;
    const span = { project_id, run_id, from: query.from, to: query.to };
    const scored = await this.#session.sql<{ metric_name: string }>(SCORED, [project_id, run_id]);
    const names = scored.map(({ metric_name }) => decodeText(metric_name));
    const hours = [
      ...(await this.#trends.hourly({ ...span, names: OF_TRACES, types: ['trace'] }, true)),
      ...(await this.#trends.hourly({ ...span, names: OF_CALLS, types: ['llm'] }, false)),
      ...(await this.#trends.hourly(
        { ...span, names: names.filter((name) => !OF_TRACES.includes(name) && !OF_CALLS.includes(name)) },
        false,
      )),
    ];
    const width = query.interval_minutes * 60_000;
    const byBucket = Map.groupBy(hours, ({ hour }) => Math.floor((Date.parse(hour) - Date.parse(query.from)) / width));
    const buckets = [...byBucket].map(([bucket, own]) => ({ group: null, bucket, numbers: toMetricNumbers(own) }));
    return { total: toMetricNumbers(hours), buckets: buckets.filter(({ numbers }) => numbers.requests > 0) };
  }

  async #hasMany(project_id: string, run_id: string): Promise<boolean> {
    const found = await this.#session.sql(
      'select from run_counts where project_id = $1 and run_id = $2 and num_traces + num_spans >= $3',
      [project_id, run_id, this.#manyRecords],
    );
    return found.length > 0;
  }
}
