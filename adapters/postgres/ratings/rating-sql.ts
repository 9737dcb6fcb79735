import { sql } from 'kysely';
import type { RatingColumn } from '../../../core/ratings/rating-column.ts';
import type { RatingResult } from '../../../core/record-index/record-metrics.ts';
import type { Fragment } from '../database/sql.ts';

/** SQL of the rule of a template `t`, whose type has one where nobody chose another. */
const RULE = sql`coalesce(t.truth_rule, case when t.annotation_type in ('star', 'score') then 'median' when t.annotation_type = 'text' then 'first' else 'majority' end)`;

/** One answer as a number; no other kind of answer is read by the rules for numbers. */
const NUMBER = sql`case when jsonb_typeof(a.value) = 'number' then (a.value #>> '{}')::double precision end`;

const COMMON_TAGS = sql`(
  select coalesce(jsonb_agg(tag order by tag collate "C"), '[]') from (
    select tag from unnest(given) with ordinality as one(value, rater)
    cross join lateral jsonb_array_elements_text(case when jsonb_typeof(one.value) = 'array' then one.value else '[]' end) as tag
    group by tag having count(distinct rater) * 2 > cardinality(given)
  ) as common
)`;

const MODE = sql`(
  select case when count(*) = 1 then (array_agg(value))[1] end from (
    select value, rank() over (order by count(*) desc) as place from unnest(given) as one(value) group by value
  ) as ranked where place = 1
)`;

/** Who gave the last decision about what `a` answers: their answer counts instead of all others. */
const DECIDER = sql`(
  select d.annotator_id from annotations d
  where d.project_id = a.project_id and d.record_id = a.record_id and (d.run_id = a.run_id) is true and d.template_id = a.template_id
    and d.is_decision
  order by d.rated_at desc, d.annotator_id desc limit 1
)`;

/** SQL of what the answers to a template about the record `r` come to, as `computeTruth` states it. */
export const truthSql = (template_id: Fragment): Fragment => sql`(
  select case
    when rule = 'first' then given[1]
    when rule = 'mean' then to_jsonb(mean)
    when rule = 'median' then to_jsonb(median)
    when annotation_type = 'tags' then ${COMMON_TAGS}
    else ${MODE}
  end
  from (
    select t.annotation_type, ${RULE} as rule, array_agg(a.value order by a.rated_at, a.annotator_id) as given,
      avg(${NUMBER}) as mean, percentile_cont(0.5) within group (order by ${NUMBER}) as median
    from annotations a join annotation_templates t on t.project_id = a.project_id and t.id = a.template_id
    where a.project_id = r.project_id and a.record_id = r.id and (a.run_id = r.run_id) is true and a.template_id = ${template_id}
      and coalesce(a.annotator_id = ${DECIDER}, true)
    group by t.annotation_type, t.truth_rule
  ) as answers
)`;

/** SQL of a column of ratings of the record `r`, as JSON; null where it has none. */
export const ratingSql = ({ place, name }: RatingColumn): Fragment =>
  place === 'annotations'
    ? truthSql(sql`${name}::uuid`)
    : sql`(select f.value from feedback f
        where f.project_id = r.project_id and f.record_id = r.id and (f.run_id = r.run_id) is true and f.name = ${name})`;

export interface RatedRow extends RatingResult {
  readonly record_id: string;
}

/** SQL of the ratings of some records of a run that can be drawn: numbers, and yes and no. */
export const ratedSql = (
  { project_id, run_id }: { readonly project_id: string; readonly run_id: string },
  ids: readonly string[],
): Fragment<RatedRow> => sql<RatedRow>`
  select rated.record_id, rated.column_id, rated.value
  from (select ${project_id}::uuid as project_id, ${run_id}::uuid as run_id, wanted.id from unnest(${ids}::uuid[]) as wanted(id)) as r
  cross join lateral (
    select r.id as record_id, 'feedback/' || f.name as column_id, f.value from feedback f
    where f.project_id = r.project_id and f.record_id = r.id and (f.run_id = r.run_id) is true
    union all
    select r.id, 'annotations/' || of.template_id, ${truthSql(sql`of.template_id`)}
    from (
      select distinct template_id from annotations a
      where a.project_id = r.project_id and a.record_id = r.id and (a.run_id = r.run_id) is true
    ) as of
  ) as rated
  where jsonb_typeof(rated.value) in ('number', 'boolean')`;
