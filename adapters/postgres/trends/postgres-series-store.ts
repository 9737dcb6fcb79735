import { COUNTED, FIRST_ERROR, isCounted } from '../../../core/record-index/record-numbers.ts';
import { type Sketch, summed } from '../../../core/record-index/sketch.ts';
import type { Buckets, HourlySlice, NumbersOfBucket, RecordSlice, SeriesStore } from '../../../core/trends/series-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import { Parameters } from '../traces/filter-sql.ts';
import { type Bind, bindIn, columnSql } from '../traces/record-columns.ts';
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
const ZERO = '1e-12';

const hoursSql = (bucket: string): string => `
select s.slice, case when s.by_type then h.type end as grp, ${bucket} as bucket,
  sum(h.count) as count, sum(h.sum) as sum, min(h.min) as min, max(h.max) as max,
  sum(case when s.detail = 'sums' then 0 else coalesce((h.sketch ->> '0')::bigint, 0) end) as zeros,
  case when s.detail = 'sketch' then jsonb_agg(h.sketch) end as sketches
from jsonb_to_recordset($3::jsonb) as s(slice int, name text, types text[], detail text, by_type boolean)
join hourly_numbers h on h.project_id = $1 and h.run_id = $2 and h.name = s.name and (s.types is null or h.type = any(s.types))
  and h.hour >= $4::timestamptz and h.hour < $5::timestamptz
group by s.slice, s.detail, 2, 3`;

export class PostgresSeriesStore implements SeriesStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async fromHours(buckets: Buckets, slices: readonly HourlySlice[]): Promise<NumbersOfBucket[][]> {
    const { project_id, run_id, from, to, minutes } = buckets;
    const wanted = slices.map((slice, index) => ({ ...slice, name: encodeText(slice.name), slice: index }));
    const values = [project_id, run_id, JSON.stringify(wanted), from, to];
    const bucket = minutes === null ? 'null::bigint' : bucketSql('h.hour', '$6::bigint');
    const rows = await this.#session.sql<HourlyRow>(hoursSql(bucket), minutes === null ? values : [...values, minutes]);
    const bySlice = Map.groupBy(rows, ({ slice }) => slice);
    return slices.map((_, index) => (bySlice.get(index) ?? []).map((row) => ({ ...toNumbers(row), ...sketchIn(row) })));
  }

  async fromRecords(buckets: Buckets, slice: RecordSlice): Promise<{ rows: NumbersOfBucket[]; groups: number }> {
    const parameters = new Parameters();
    const bind = bindIn(buckets, (value) => parameters.bind(value));
    const rows = await this.#session.sql<RecordRow>(recordsSql(buckets, slice, bind), parameters.values);
    return {
      rows: rows.map((row) => ({ ...toNumbers(row), sketch: null, quantile: row.quantile })),
      groups: rows[0]?.groups ?? 0,
    };
  }
}

const bucketSql = (time: string, minutes: string): string =>
  `(floor(extract(epoch from ${time}) / 60 / ${minutes}) * ${minutes})::bigint`;

/** The records are looked at where a condition or a group asks for them; else their numbers are enough. */
function recordsSql(buckets: Buckets, slice: RecordSlice, bind: Bind): string {
  const { name, types, where, group_by, max_groups, quantile } = slice;
  const isAboutRecords = group_by !== undefined || !('and' in where) || where.and.length > 0;
  const records = 'join records r on r.project_id = n.project_id and r.id = n.record_id and (r.run_id = n.run_id) is true';
  const tags = `left join lateral (select distinct tag from unnest(r.tags) as tag) tagged on true`;
  const bucket = buckets.minutes === null ? 'null::bigint' : bucketSql('n.created_at', `${bind(buckets.minutes)}::bigint`);
  const sets = buckets.minutes === null ? '(grp)' : '(grp, bucket), (grp)';
  return `
with picked as materialized (
  select n.value, ${groupSql(group_by, bind)} as grp, ${bucket} as bucket
  from ${toSource(name)} n ${isAboutRecords ? records : ''} ${group_by === 'tags' ? tags : ''}
  where n.project_id = ${bind(buckets.project_id)} and n.run_id = ${bind(buckets.run_id)} and n.name = ${bind(encodeText(name))}
    and n.created_at >= ${bind(buckets.from)}::timestamptz and n.created_at < ${bind(buckets.to)}::timestamptz
    and (${bind(types ?? null)}::text[] is null or n.type = any(${bind(types ?? null)}::text[]))
    and ${conditionSql(where, bind)}
), sized as (
  select grp, row_number() over (order by count(*) desc, grp collate "C") as place from picked group by grp
), shown as (
  select p.* from picked p join sized s on (s.grp is null) = (p.grp is null) and coalesce(s.grp, '') = coalesce(p.grp, '')
  where s.place <= ${bind(max_groups)}
)
select grp, ${buckets.minutes === null ? 'null::bigint' : 'bucket'} as bucket, count(*) as count, sum(value) as sum, min(value) as min, max(value) as max,
  count(*) filter (where abs(value) < ${ZERO}) as zeros, (select count(*)::int from sized) as groups,
  ${quantile === undefined ? 'null::float8' : `percentile_disc(${bind(quantile)}::float8) within group (order by value)`} as quantile
from shown group by grouping sets (${sets})`;
}

/** Source of a metric. Counts that every record has are not kept one by one beside it. */
function toSource(name: string): string {
  if (!isCounted(name)) return 'record_numbers';
  const value = name === COUNTED.errors ? `(coalesce(status_code, 0) >= ${FIRST_ERROR})::int` : '1';
  return `(select project_id, run_id, id as record_id, '${name}' as name, type, created_at, ${value}::double precision as value
    from records where is_trace in (true, false))`;
}

function groupSql(group_by: string | undefined, bind: Bind): string {
  if (group_by === undefined) return 'null::text';
  return group_by === 'tags' ? 'tagged.tag' : `(${columnSql(group_by, 'text', bind)})::text`;
}

function toNumbers({ grp, bucket, count, sum, min, max, zeros }: NumbersRow) {
  const group = grp === null ? null : decodeText(grp);
  const at = bucket === null ? null : Number(bucket) * 60_000;
  return { group, bucket: at, count: Number(count), sum, min, max, zeros: Number(zeros) };
}

const sketchIn = ({ sketches }: HourlyRow) => ({ sketch: sketches && summed(sketches), quantile: null });
