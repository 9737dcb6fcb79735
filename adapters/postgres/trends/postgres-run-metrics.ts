import { sql } from 'kysely';
import type { BucketNumbers, MetricNumbers, MetricsQuery, RunMetrics } from '../../../core/trends/run-metrics.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Fragment } from '../database/sql.ts';
import { decodeText } from '../database/text-codec.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { columnSql } from '../traces/record-columns.ts';
import { whereSql } from '../traces/record-listing.ts';
import { HourlyRunMetrics, MANY_RECORDS } from './hourly-run-metrics.ts';

interface Place {
  /** The row is about the whole time and all groups. */
  readonly is_total: boolean;
  readonly grp: string | null;
  readonly bucket: number | null;
}
interface TraceRow extends Place {
  readonly requests: string;
  readonly errors: string;
  readonly average_duration_ns: number | null;
  readonly p50_duration_ns: number | null;
  readonly p95_duration_ns: number | null;
}
interface TokenRow extends Place, Readonly<Record<(typeof ADDED_UP)[number], number | null>> {}
interface ScoreRow extends Place {
  readonly metric_name: string;
  readonly average: number;
}

const ADDED_UP = ['num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'] as const;

const added = (name: string): string =>
  `sum(case when jsonb_typeof(m.metrics -> '${name}') = 'number' then (m.metrics ->> '${name}')::double precision end) as ${name}`;

const ofTraces = (selected: Fragment, limit: number) => sql<TraceRow>`${selected}
select grouping(bucket) = 1 as is_total, grp, bucket, count(*)::text as requests,
  count(*) filter (where status_code >= 400)::text as errors,
  avg(duration_ns)::double precision as average_duration_ns,
  percentile_cont(0.5) within group (order by duration_ns) as p50_duration_ns,
  percentile_cont(0.95) within group (order by duration_ns) as p95_duration_ns
from selected group by grouping sets ((grp, bucket), ()) limit ${limit}`;

const ofModelCalls = (selected: Fragment, { project_id, run_id }: RunKey) => sql<TokenRow>`${selected}
select grouping(bucket) = 1 as is_total, grp, bucket, ${sql.raw(ADDED_UP.map(added).join(', '))}
from selected s
join records m on m.project_id = ${project_id} and m.trace_id = s.id and (m.run_id = ${run_id}) is true and m.type = 'llm'
group by grouping sets ((grp, bucket), ())`;

const ofScores = (selected: Fragment, { project_id, run_id }: RunKey) => sql<ScoreRow>`${selected}, results as (
  select s.grp, s.bucket, c.metric_name, c.value::jsonb as value
  from selected s
  join records m on m.project_id = ${project_id} and m.trace_id = s.id and (m.run_id = ${run_id}) is true
  join scores c on c.project_id = ${project_id} and c.record_id = m.id and c.run_id = ${run_id} and c.status_type = 'success'
)
select grouping(bucket) = 1 as is_total, grp, bucket, metric_name,
  avg(case jsonb_typeof(value) when 'number' then (value #>> '{}')::double precision else (value = 'true')::int end) as average
from results where jsonb_typeof(value) in ('number', 'boolean')
group by grouping sets ((grp, bucket, metric_name), (metric_name))`;

/** Reads the hourly roll-up where it can, else the records themselves: exact, and as fast as there are few in the selected time. */
export class PostgresRunMetrics implements RunMetrics {
  readonly #session: PostgresSession;
  readonly #hours: HourlyRunMetrics;

  constructor({ session, manyRecords = MANY_RECORDS }: { session: PostgresSession; manyRecords?: number }) {
    this.#session = session;
    this.#hours = new HourlyRunMetrics({ session, manyRecords });
  }

  async measure(query: MetricsQuery): ReturnType<RunMetrics['measure']> {
    return (await this.#hours.measure(query)) ?? this.#fromRecords(query);
  }

  async #fromRecords(query: MetricsQuery): Promise<{ total: MetricNumbers; buckets: BucketNumbers[] }> {
    const { selection, max_rows } = query;
    const selected = selectedSql(query);
    const traces = await this.#session.rows(ofTraces(selected, max_rows + 2));
    const calls = await this.#session.rows(ofModelCalls(selected, selection));
    const scores = await this.#session.rows(ofScores(selected, selection));
    const more = new Map<string, Readonly<Record<string, number>>[]>();
    const add = (place: Place, numbers: Readonly<Record<string, number>>): void => {
      const known = more.get(getKey(place));
      if (known) known.push(numbers);
      else more.set(getKey(place), [numbers]);
    };
    for (const { is_total, grp, bucket, ...numbers } of calls) add({ is_total, grp, bucket }, present(numbers));
    for (const { metric_name, average, ...place } of scores) add(place, { [`metrics/${decodeText(metric_name)}`]: average });
    const found = traces.map(({ is_total, grp, bucket, requests, errors, ...durations }) => {
      const counted = { requests: Number(requests), errors: Number(errors) };
      const numbers = Object.assign(
        { ...counted, ...present(durations) },
        ...(more.get(getKey({ is_total, grp, bucket })) ?? []),
      );
      return { is_total, group: grp === null ? null : decodeText(grp), bucket: bucket ?? 0, numbers: numbers as MetricNumbers };
    });
    const total = found.find(({ is_total }) => is_total)?.numbers ?? { requests: 0, errors: 0 };
    return { total, buckets: found.filter(({ is_total }) => !is_total).map(({ is_total: _, ...row }) => row) };
  }
}

function selectedSql({ selection, from, to, interval_minutes, group_by }: MetricsQuery): Fragment {
  const start = sql`${from}::timestamptz`;
  const group = group_by === undefined ? sql`null` : columnSql(group_by, 'text', selection);
  return sql`with selected as materialized (
    select r.id, r.status_code, r.duration_ns::double precision as duration_ns, (${group})::text as grp,
      floor(extract(epoch from r.created_at - ${start}) / ${interval_minutes * 60}::int)::int as bucket
    from records r
    where ${whereSql(selection)} and r.created_at >= ${start} and r.created_at < ${to}::timestamptz
  )`;
}

const getKey = ({ is_total, grp, bucket }: Place): string => (is_total ? 'total' : JSON.stringify([grp, bucket]));

/** Without those that there are not. */
const present = (numbers: Readonly<Record<string, number | null>>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).filter((entry): entry is [string, number] => entry[1] !== null));
