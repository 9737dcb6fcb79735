import { sql } from 'kysely';
import { AppError } from '../../../core/kernel/errors.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { joinAmounts, type SeriesHour, type StreamState } from '../../../core/otel/metrics/metric-series.ts';
import type {
  DimensionCondition,
  KnownStreams,
  MetricChange,
  MetricName,
  MetricSeriesQuery,
  MetricSeriesStore,
  SeriesNumbers,
} from '../../../core/otel/metrics/metric-series-store.ts';
import type { Sketch } from '../../../core/record-index/sketch.ts';
import { toPlainArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type Fragment, TRUE } from '../database/sql.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';

interface Row {
  readonly grp: string | null;
  readonly bucket: string | null;
  readonly count: string;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly sketch: Sketch | null;
  readonly groups: number;
}

type Asked = Parameters<MetricSeriesStore['update']>[1];

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
const HOLD_RUN = 'select from runs where project_id = $1 and id = $2 for share';
const OF_RUN = 'project_id = $1 and run_id = $2';
/** How many there are is only asked where some of them are new. */
const COUNT = (table: string): string => `select count(*)::int as count from ${table} where project_id = $1`;

const PUT_SERIES = `
insert into metric_series (project_id, run_id, series_id, name, unit, kind, model, operation, provider, token_type, error_type, last_at)
select $1, $2, id, name, unit, kind, model, operation, provider, token_type, error_type, $4
from jsonb_to_recordset($3::jsonb) as row(id uuid, name text, unit text, kind text, model text, operation text, provider text,
  token_type text, error_type text)
on conflict (project_id, run_id, series_id) do update set last_at = excluded.last_at`;

const PUT_STREAMS = `
insert into metric_streams (project_id, run_id, stream_id, state, last_at)
select $1, $2, id, state, $4 from jsonb_to_recordset($3::jsonb) as row(id uuid, state jsonb)
on conflict (project_id, run_id, stream_id) do update set state = excluded.state, last_at = excluded.last_at`;

const FIND_HOURS = `
select h.series_id, h.hour, h.count, h.sum, h.min, h.max, h.sketch
from jsonb_to_recordset($3::jsonb) as key(series_id uuid, hour timestamptz)
join metric_series_hours h on h.project_id = $1 and h.run_id = $2 and h.series_id = key.series_id and h.hour = key.hour`;

const PUT_HOURS = `
insert into metric_series_hours (project_id, run_id, series_id, hour, count, sum, min, max, sketch)
select $1, $2, series_id, hour, count, sum, min, max, sketch from jsonb_to_recordset($3::jsonb)
  as row(series_id uuid, hour timestamptz, count bigint, sum double precision, min double precision, max double precision, sketch jsonb)
on conflict (project_id, run_id, series_id, hour) do update set
  count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, sketch = excluded.sketch`;

const REMOVE_STREAMS = `
with old as materialized (
  select project_id, run_id, stream_id from metric_streams where last_at < $1 order by last_at limit $2 for update skip locked
), gone as (
  delete from metric_streams s using old
  where (s.project_id, s.run_id, s.stream_id) = (old.project_id, old.run_id, old.stream_id) and s.last_at < $1 returning 1
)
select count(*)::int as removed from gone`;

export class PostgresMetricSeriesStore implements MetricSeriesStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  update(run: RunKey, asked: Asked, change: (known: KnownStreams) => MetricChange): Promise<void> {
    return this.#session.run(async () => {
      await this.#session.sql(LOCK, [`metrics ${run.run_id} ${run.project_id}`]);
      const held = await this.#session.sql(HOLD_RUN, [run.project_id, run.run_id]);
      if (held.length === 0)
        throw new AppError('not_found', 'run_not_found', `project ${run.project_id} has no run ${run.run_id}`);
      await this.#put(run, change(await this.#find(run, asked)));
    });
  }

  async aggregate(query: MetricSeriesQuery): Promise<{ rows: SeriesNumbers[]; groups: number; hours: number }> {
    const [size] = await this.#session.rows(sizeSql(query));
    const hours = Number(size!.hours);
    if (hours > query.max_hours) return { rows: [], groups: 0, hours };
    const rows = await this.#session.rows(numbersSql(query));
    return { rows: rows.map(toNumbers), groups: rows[0]?.groups ?? 0, hours };
  }

  async names(project_id: string, run_id: string): Promise<MetricName[]> {
    const rows = await this.#session.sql<MetricName>(
      `select name, min(unit collate "C") as unit from metric_series where ${OF_RUN} group by name`,
      [project_id, run_id],
    );
    const names = rows.map(({ name, unit }) => ({ name: decodeText(name), unit: decodeText(unit) }));
    return names.sort((a, b) => compareText(a.name, b.name));
  }

  async removeHoursBefore(project_id: string, run_id: string, time: string): Promise<void> {
    await this.#session.sql(`delete from metric_series_hours where ${OF_RUN} and hour < $3::timestamptz`, [
      project_id,
      run_id,
      time,
    ]);
    await this.#session.sql(
      `delete from metric_series s where ${OF_RUN} and last_at < $3::timestamptz and not exists (
         select from metric_series_hours h where h.project_id = $1 and h.run_id = $2 and h.series_id = s.series_id
       )`,
      [project_id, run_id, time],
    );
  }

  async removeStreamsBefore(time: string, limit: number): Promise<number> {
    const [row] = await this.#session.sql<{ removed: number }>(REMOVE_STREAMS, [time, limit]);
    return row!.removed;
  }

  async #find({ project_id, run_id }: RunKey, asked: Asked): Promise<KnownStreams> {
    const streams = await this.#session.sql<{ stream_id: string; state: StreamState }>(
      `select stream_id, state from metric_streams where ${OF_RUN} and stream_id = any($3::uuid[])`,
      [project_id, run_id, toPlainArray(asked.streams)],
    );
    const series = await this.#session.sql<{ series_id: string }>(
      `select series_id from metric_series where ${OF_RUN} and series_id = any($3::uuid[])`,
      [project_id, run_id, toPlainArray(asked.series)],
    );
    return {
      streams: new Map(streams.map(({ stream_id, state }) => [stream_id, state])),
      series: new Set(series.map(({ series_id }) => series_id)),
      num_streams: streams.length < asked.streams.length ? await this.#count('metric_streams', project_id) : 0,
      num_series: series.length < asked.series.length ? await this.#count('metric_series', project_id) : 0,
    };
  }

  async #count(table: string, project_id: string): Promise<number> {
    const [row] = await this.#session.sql<{ count: number }>(COUNT(table), [project_id]);
    return row!.count;
  }

  async #put(run: RunKey, { series, streams, hours, at }: MetricChange): Promise<void> {
    const own = [run.project_id, run.run_id];
    const texts = series.map((one) =>
      Object.fromEntries(Object.entries(one).map(([key, text]) => [key, text && encodeText(text)])),
    );
    if (series.length > 0) await this.#session.sql(PUT_SERIES, [...own, JSON.stringify(texts), at]);
    if (streams.length > 0) await this.#session.sql(PUT_STREAMS, [...own, JSON.stringify(streams), at]);
    if (hours.length > 0) await this.#session.sql(PUT_HOURS, [...own, JSON.stringify(await this.#added(run, hours))]);
  }

  async #added({ project_id, run_id }: RunKey, hours: readonly SeriesHour[]): Promise<SeriesHour[]> {
    const keys = JSON.stringify(hours.map(({ series_id, hour }) => ({ series_id, hour })));
    const rows = await this.#session.sql<Omit<SeriesHour, 'count'> & { count: string }>(FIND_HOURS, [project_id, run_id, keys]);
    const stored = new Map(rows.map((row) => [toHourKey(row), { ...row, count: Number(row.count) }]));
    return hours.map((hour) => {
      const before = stored.get(toHourKey(hour));
      return before ? joinAmounts(hour, before) : hour;
    });
  }
}

const toHourKey = ({ series_id, hour }: Pick<SeriesHour, 'series_id' | 'hour'>): string =>
  `${series_id} ${Date.parse(toUtc(hour) ?? hour)}`;

const fromSql = ({ project_id, run_id, name, where, from, to }: MetricSeriesQuery): Fragment => sql`
metric_series s join metric_series_hours h
  on h.project_id = s.project_id and h.run_id = s.run_id and h.series_id = s.series_id
where s.project_id = ${project_id} and s.run_id = ${run_id} and s.name = ${encodeText(name)}
  and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz and ${sql.join([TRUE, ...where.map(conditionSql)], sql` and `)}`;

const sizeSql = (query: MetricSeriesQuery): Fragment<{ hours: string }> =>
  sql`select count(*) as hours from (select 1 from ${fromSql(query)} limit ${query.max_hours + 1}) as counted`;

function conditionSql({ dimension, values, is_in }: DimensionCondition): Fragment {
  const isOne = sql`(s.${sql.ref(dimension)} = any(${values.map(encodeText)}::text[])) is true`;
  return is_in ? isOne : sql`not (${isOne})`;
}

/** Sketches are added up bucket by bucket, so that as much comes back as there are buckets of the reply. */
function numbersSql(query: MetricSeriesQuery): Fragment<Row> {
  const { group_by, max_groups, minutes, with_sketches } = query;
  const bucket =
    minutes === null
      ? sql`null::bigint`
      : sql`(floor(extract(epoch from h.hour) / 60 / ${minutes}::bigint) * ${minutes}::bigint)::bigint`;
  const isSame = (a: Fragment, b: Fragment): Fragment =>
    sql`coalesce(${a}.grp, '') = coalesce(${b}.grp, '') and (${a}.grp is null) = (${b}.grp is null)`;
  return sql`
with picked as materialized (
  select ${group_by === undefined ? sql`null::text` : sql`s.${sql.ref(group_by)}`} as grp, ${bucket} as bucket,
    h.count, h.sum, h.min, h.max, ${with_sketches ? sql`h.sketch` : sql`null::jsonb`} as sketch
  from ${fromSql(query)}
), sized as (
  select grp, row_number() over (order by sum(count) desc, grp collate "C") as place from picked group by grp
), shown as (
  select p.* from picked p join sized z on ${isSame(sql`p`, sql`z`)} where z.place <= ${max_groups}
), sketched as (
  select grp, bucket, jsonb_object_agg(key, count) as sketch from (
    select grp, bucket, cell.key, sum(cell.value::bigint) as count
    from shown cross join lateral jsonb_each_text(shown.sketch) as cell group by 1, 2, 3
  ) cells group by 1, 2
)
select n.*, k.sketch, (select count(*)::int from sized) as groups
from (
  select grp, bucket, sum(count) as count, sum(sum) as sum, min(min) as min, max(max) as max from shown group by 1, 2
) n left join sketched k on ${isSame(sql`k`, sql`n`)} and coalesce(k.bucket, 0) = coalesce(n.bucket, 0)`;
}

const toNumbers = ({ grp, bucket, count, sum, min, max, sketch }: Row): SeriesNumbers => ({
  group: grp === null ? null : decodeText(grp),
  bucket: bucket === null ? null : Number(bucket) * 60_000,
  count: Number(count),
  sum,
  min,
  max,
  sketch,
});
