import { sql } from 'kysely';
import { COUNTED, FIRST_ERROR, isCounted } from '../../../core/record-index/record-metrics.ts';
import { type Sketch, summed } from '../../../core/record-index/sketch.ts';
import type { Buckets, HourlySlice, NumbersOfBucket, RecordSlice, SeriesStore } from '../../../core/trends/series-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { type Fragment, NOTHING, TRUE } from '../database/sql.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { columnSql } from '../traces/record-columns.ts';
import { conditionSql } from '../traces/record-conditions.ts';

interface NumbersRow {
  readonly grp: string | null;
  /** In minutes since 1970. */
  readonly bucket: string | null;
  readonly count: string;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly zeros: string;
}
interface HourlyRow extends NumbersRow {
  readonly slice: number;
  readonly sketches: readonly Sketch[] | null;
}
interface RecordRow extends NumbersRow {
  readonly quantile: number | null;
  readonly groups: number;
}

/** Closer to zero counts as zero, as in a sketch. */
const ZERO = sql`1e-12`;

const hoursSql = ({ project_id, run_id, from, to, minutes }: Buckets, slices: readonly HourlySlice[]) => sql<HourlyRow>`
select s.slice, case when s.by_type then h.type end as grp, ${bucketSql(sql`h.hour`, minutes)} as bucket,
  sum(h.count) as count, sum(h.sum) as sum, min(h.min) as min, max(h.max) as max,
  sum(case when s.detail = 'sums' then 0 else coalesce((h.sketch ->> '0')::bigint, 0) end) as zeros,
  case when s.detail = 'sketch' then jsonb_agg(h.sketch) end as sketches
from jsonb_to_recordset(${JSON.stringify(slices.map((slice, index) => ({ ...slice, name: encodeText(slice.name), slice: index })))}::jsonb)
  as s(slice int, name text, types text[], detail text, by_type boolean)
join hourly_numbers h on h.project_id = ${project_id} and h.run_id = ${run_id} and h.name = s.name
  and (s.types is null or h.type = any(s.types)) and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz
group by s.slice, s.detail, 2, 3`;

export class PostgresSeriesStore implements SeriesStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async fromHours(buckets: Buckets, slices: readonly HourlySlice[]): Promise<NumbersOfBucket[][]> {
    const rows = await this.#session.rows(hoursSql(buckets, slices));
    const bySlice = Map.groupBy(rows, ({ slice }) => slice);
    return slices.map((_, index) => (bySlice.get(index) ?? []).map((row) => ({ ...toNumbers(row), ...sketchIn(row) })));
  }

  async fromRecords(buckets: Buckets, slice: RecordSlice): Promise<{ rows: NumbersOfBucket[]; groups: number }> {
    const rows = await this.#session.rows(recordsSql(buckets, slice));
    return {
      rows: rows.map((row) => ({ ...toNumbers(row), sketch: null, quantile: row.quantile })),
      groups: rows[0]?.groups ?? 0,
    };
  }
}

const bucketSql = (time: Fragment, minutes: number | null): Fragment =>
  minutes === null
    ? sql`null::bigint`
    : sql`(floor(extract(epoch from ${time}) / 60 / ${minutes}::bigint) * ${minutes}::bigint)::bigint`;

const RECORDS = sql`join records r on r.project_id = n.project_id and r.id = n.record_id and (r.run_id = n.run_id) is true`;
const TAGS = sql`left join lateral (select distinct tag from unnest(r.tags) as tag) tagged on true`;

/** The records are looked at where a condition or a group asks for them; else their numbers are enough. */
function recordsSql(buckets: Buckets, { name, types, where, group_by, max_groups, quantile }: RecordSlice): Fragment<RecordRow> {
  const isAboutRecords = group_by !== undefined || !('and' in where) || where.and.length > 0;
  const [bucket, sets] = buckets.minutes === null ? [sql`null::bigint`, sql`(grp)`] : [sql`bucket`, sql`(grp, bucket), (grp)`];
  return sql`
with picked as materialized (
  select n.value, ${groupSql(group_by, buckets)} as grp, ${bucketSql(sql`n.created_at`, buckets.minutes)} as bucket
  from ${toSource(name)} n ${isAboutRecords ? RECORDS : NOTHING} ${group_by === 'tags' ? TAGS : NOTHING}
  where n.project_id = ${buckets.project_id} and n.run_id = ${buckets.run_id} and n.name = ${encodeText(name)}
    and n.created_at >= ${buckets.from}::timestamptz and n.created_at < ${buckets.to}::timestamptz
    and ${types ? sql`n.type = any(${types}::text[])` : TRUE} and ${conditionSql(where, buckets)}
), sized as (
  select grp, row_number() over (order by count(*) desc, grp collate "C") as place from picked group by grp
), shown as (
  select p.* from picked p join sized s on (s.grp is null) = (p.grp is null) and coalesce(s.grp, '') = coalesce(p.grp, '')
  where s.place <= ${max_groups}
)
select grp, ${bucket} as bucket, count(*) as count, sum(value) as sum, min(value) as min, max(value) as max,
  count(*) filter (where abs(value) < ${ZERO}) as zeros, (select count(*)::int from sized) as groups,
  ${quantile === undefined ? sql`null::float8` : sql`percentile_disc(${quantile}::float8) within group (order by value)`} as quantile
from shown group by grouping sets (${sets})`;
}

/** Source of a metric. Counts that every record has are not kept one by one beside it. */
function toSource(name: string): Fragment {
  if (!isCounted(name)) return sql`record_numbers`;
  const value = name === COUNTED.errors ? sql`(coalesce(status_code, 0) >= ${sql.lit(FIRST_ERROR)})::int` : sql`1`;
  return sql`(select project_id, run_id, id as record_id, ${sql.lit(name)} as name, type, created_at, ${value}::double precision as value
    from records where is_trace in (true, false))`;
}

function groupSql(group_by: string | undefined, run: RunKey): Fragment {
  if (group_by === undefined) return sql`null::text`;
  return group_by === 'tags' ? sql`tagged.tag` : sql`(${columnSql(group_by, 'text', run)})::text`;
}

function toNumbers({ grp, bucket, count, sum, min, max, zeros }: NumbersRow) {
  const group = grp === null ? null : decodeText(grp);
  const at = bucket === null ? null : Number(bucket) * 60_000;
  return { group, bucket: at, count: Number(count), sum, min, max, zeros: Number(zeros) };
}

const sketchIn = ({ sketches }: HourlyRow) => ({ sketch: sketches && summed(sketches), quantile: null });
