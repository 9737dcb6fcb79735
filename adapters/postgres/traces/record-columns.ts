import { sql } from 'kysely';
import { NUM_COMMENTS } from '../../../core/comments/comment-column.ts';
import { parseRatingColumn, type RatingColumn } from '../../../core/ratings/rating-column.ts';
import { parseAgreementColumn } from '../../../core/scores/agreement-column.ts';
import { COLUMN_KINDS } from '../../../core/traces/catalogue/field-kinds.ts';
import { COMMON_FIELDS, OWN_FIELDS, ownField } from '../../../core/traces/catalogue/record-fields.ts';
import type { OwnField } from '../../../core/traces/catalogue/span-types.ts';
import { isSystemMetric } from '../../../core/traces/catalogue/system-metrics.ts';
import { findColumn, type OwnName, parseOwnName } from '../../../core/traces/columns/column.ts';
import type { RecordSelection } from '../../../core/traces/record-query.ts';
import { IS_IMPLICIT } from '../../../core/traces/sessions/session-column.ts';
import { type Fragment, TRUE } from '../database/sql.ts';
import { encodeText } from '../database/text-codec.ts';
import { ratingSql } from '../ratings/rating-sql.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { IS_COMPLETE } from './record-statements.ts';

/** SQL that reads a metric's JSON value, whatever it is, for a filter of each type. */
const METRIC_READINGS = {
  number: sql.raw(`case when jsonb_typeof(v) = 'number' then (v #>> '{}')::double precision end`),
  boolean: sql.raw(`case when jsonb_typeof(v) = 'boolean' then (v #>> '{}')::boolean end`),
  text: sql.raw(`v #>> '{}'`),
  collection: sql.raw(`case when jsonb_typeof(v) = 'array' then array(
    select item from jsonb_array_elements_text(case when jsonb_typeof(v) = 'array' then v else '[]' end) as item where item is not null) end`),
} as const;
export type Reading = keyof typeof METRIC_READINGS;

/** Where the rows `r` of a statement are records of one run, and perhaps of one level. */
export type RunScope = RunKey & Partial<Pick<RecordSelection, 'level'>>;
/** The rows `r` are records of one run, or sessions, whose numbers come from their traces and are never scores. */
export type Scope = RunScope | { readonly level: 'session' };

/** Texts and what counts as text in a sort: not the numbers and booleans, which come before them. */
const OTHER_THAN_NUMBER_AND_BOOLEAN = sql.raw(`case when jsonb_typeof(v) not in ('number', 'boolean') then v #>> '{}' end`);

/**
 * The SQL expression of a column of the catalogue, over `records r`, as filters of a type read it. Names come from
 * these tables; a name of the sender's own is a parameter.
 */
export function columnSql(id: string, reading: Reading, scope?: Scope): Fragment {
  const own = parseOwnName(id);
  if (own) return ownSql(own, reading, scope);
  const agreement = parseAgreementColumn(id);
  if (agreement !== undefined) return agreementSql(agreement, scope);
  const rating = parseRatingColumn(id);
  if (rating) return readingSql(ratingSql(rating), METRIC_READINGS[reading]);
  if (id === NUM_COMMENTS) return COMMENTS;
  if (id === 'is_complete') return sql`(${sql.raw(IS_COMPLETE)})`;
  if (Object.hasOwn(COMMON_FIELDS, id)) return sql.ref(`r.${id}`);
  if (!Object.hasOwn(OWN_FIELDS, id)) throw new Error(`column ${id} has no SQL expression`);
  if (ownField(id as OwnField).kind === 'texts')
    return readingSql(sql`r.attributes -> ${sql.lit(id)}`, METRIC_READINGS.collection);
  const isNumber = COLUMN_KINDS[ownField(id as OwnField).kind].filter_types[0] === 'number';
  return isNumber ? sql`(r.attributes ->> ${sql.lit(id)})::double precision` : sql`(r.attributes ->> ${sql.lit(id)})`;
}

/** Expressions that records are ordered by under a column: one, or several where values may be of several kinds. */
export function sortKeysSql(id: string, scope?: Scope): Fragment[] {
  const own = parseOwnName(id);
  const rating = parseRatingColumn(id);
  if (rating || (own?.place === 'metrics' && !isSystemMetric(own.name) && scope?.level !== 'session')) {
    const value = rating ? ratingSql(rating) : metricSql(own!.name, scope as RunScope | undefined);
    return [
      readingSql(value, METRIC_READINGS.number),
      readingSql(value, METRIC_READINGS.boolean),
      sql`${readingSql(value, OTHER_THAN_NUMBER_AND_BOOLEAN)} collate "C"`,
    ];
  }
  const column = columnSql(id, 'number', scope);
  return [findColumn(id)?.data_type === 'text' ? sql`${column} collate "C"` : column];
}

function ownSql({ place, name }: OwnName, reading: Reading, scope: Scope | undefined): Fragment {
  const key = encodeText(name);
  if (place !== 'metrics') return sql`(${sql.ref(`r.${place}`)} ->> ${key})`;
  // A constant of each place that sessions are in, so that the planner reads no place for nothing.
  if (scope?.level === 'session' && name === IS_IMPLICIT) return sql`r.is_implicit`;
  if (name === 'duration_ns') return sql`r.duration_ns::double precision`;
  if (isSystemMetric(name) || scope?.level === 'session') return readingSql(sql`r.metrics -> ${key}`, METRIC_READINGS.number);
  return readingSql(metricSql(name, scope), METRIC_READINGS[reading]);
}

/** How many comments the record or session `r` has. */
const COMMENTS = sql`(select count(*)::int from comments c
  where c.project_id = r.project_id and c.run_id = r.run_id and c.record_id = r.id)`;

/** A rating of the record `r` as rows, of which a list has one for each of its elements. */
export const ratedValuesSql = (rating: RatingColumn): Fragment => sql`(
  select distinct item from (select ${ratingSql(rating)} as v offset 0) as rated
  cross join lateral jsonb_array_elements_text(case when jsonb_typeof(v) = 'array' then v else jsonb_build_array(v) end) as item)`;

/** A rating of the record `r` as a number; yes is 1 and no is 0. */
export const ratedNumberSql = (rating: RatingColumn): Fragment =>
  sql`(select case jsonb_typeof(v) when 'number' then (v #>> '{}')::double precision when 'boolean' then (v #>> '{}')::boolean::int end
    from (select ${ratingSql(rating)} as v offset 0) as rated)`;

/** The value is worked out once, however often the reading looks at it. */
const readingSql = (value: Fragment, reading: Fragment): Fragment =>
  sql`(select ${reading} from (select ${value} as v offset 0) as metric)`;

/** SQL of a metric: the newest score of this name, else the value that came with the record. */
function metricSql(metric: string, run: RunScope | undefined): Fragment {
  const name = encodeText(metric);
  return sql`coalesce(${newestScoreSql(sql`nullif(s.value::jsonb, 'null')`, name, run)}, r.metrics -> ${name})`;
}

/** How far the judges of the newest score of this name agreed. Sessions have none that a statement reads. */
function agreementSql(metric: string, scope: Scope | undefined): Fragment {
  if (scope?.level === 'session') return sql`null::double precision`;
  return newestScoreSql(sql`(s.effort ->> 'agreement')::double precision`, encodeText(metric), scope);
}

/** Something of the newest score of this name. */
const newestScoreSql = (read: Fragment, name: string, run: RunScope | undefined): Fragment =>
  sql`case when ${hasScoresSql(name, run)} then (
    select ${read} from scores s
    where s.project_id = r.project_id and s.record_id = r.id and s.run_id = r.run_id and s.metric_name = ${name}
    order by s.scored_at desc, s.scorer_version_id desc limit 1
  ) end`;

/** Asked once for the statement: without scores of the name, no record has to be looked up among them. */
const hasScoresSql = (name: string, run: RunScope | undefined): Fragment =>
  run === undefined
    ? TRUE
    : sql`exists (select from scores any_score where any_score.project_id = ${run.project_id}
        and any_score.run_id = ${run.run_id} and any_score.metric_name = ${name})`;
