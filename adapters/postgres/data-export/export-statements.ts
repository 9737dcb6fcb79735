import { SCORE_NAMES } from '../scorers/score-row.ts';

/** More that waits is not counted, for a look at one project. */
const MAX_COUNTED = 100_000;

const DAY = (column: string): string => `to_char(${column}, 'YYYY-MM-DD')`;

/** `$1` project. The oldest change by its number is about the one that waits longest. */
export const FIND = `
select is_enabled, content, (walk is not null or planned_day is not null) as is_unfinished, num_files, num_rows, num_bytes, last_file, failure, failures, failing_since, due_at,
  (select count(*)::int from (select from export_changes where project_id = $1 limit ${MAX_COUNTED}) waiting) as num_waiting,
  (select noted_at from export_changes where project_id = $1 order by sequence limit 1) as waiting_since
from data_exports where project_id = $1 and not is_removed`;

/** `$1` project, `$2` whether, `$3` content, `$4` the beginning of a walk, `$5` a timestamp. A walk begins where something has to be looked at anew. */
export const SET = `
insert into data_exports (project_id, is_enabled, content, walk, due_at) values ($1, $2, $3::jsonb, case when $2 then $4::jsonb end, $5)
on conflict (project_id) do update set is_enabled = excluded.is_enabled, content = excluded.content,
  walk = case when not $2 or (data_exports.is_enabled and data_exports.content @> excluded.content) then data_exports.walk else $4::jsonb end,
  due_at = case when data_exports.is_enabled then data_exports.due_at else excluded.due_at end
where not data_exports.is_removed`;

/** `$1` now, `$2` until when nobody else gets it. */
export const CLAIM = `
update data_exports set claimed_until = $2, attempt = attempt + 1
where project_id = (
  select project_id from data_exports
  where (is_enabled or is_removed) and due_at <= $1 and (claimed_until is null or claimed_until < $1)
  order by due_at limit 1 for update skip locked
)
returning project_id, attempt, content, target, is_removed, walk, failures, sequence, ${DAY('planned_day')} as planned_day`;

/** `$1` project. The day of the change that has waited longest. */
export const PLAN_DAY = `
update data_exports set planned_day = next.day
from (select day from export_changes where project_id = $1 order by sequence limit 1) next
where project_id = $1
returning ${DAY('next.day')} as day`;

const MINE = 'where project_id = $1 and attempt = $2 returning project_id';
const WELL = 'claimed_until = null, failures = 0, failure = null, failing_since = null';

/** `$3` when it is due again. */
export const RELEASE = `update data_exports set ${WELL}, due_at = $3 ${MINE}`;

/** `$3` the reason, `$4` now, `$5` when it is due again. What was begun with is kept, for who begins with it again. */
export const FAIL = `
update data_exports set claimed_until = null, failures = failures + 1, failure = $3,
  failing_since = coalesce(failing_since, $4), due_at = $5 ${MINE}`;

export const FORGET = 'delete from data_exports where project_id = $1 and attempt = $2 and is_removed returning project_id';

/** `$3` the target, `$4` the beginning of a walk, `$5` when it is due again. */
export const RESTART = `
update data_exports set ${WELL}, target = $3, walk = $4::jsonb, planned_day = null,
  num_files = 0, num_rows = 0, num_bytes = 0, last_file = null, due_at = $5 ${MINE}`;

/** `$3` where the walk goes on, `$4` when it is due again. */
export const WALKED = `update data_exports set ${WELL}, walk = $3::jsonb, due_at = $4 ${MINE}`;

const walk = (next: string): string => `
with next as materialized (${next}), noted as (
  insert into export_changes (project_id, record_id, run_id, day)
  select $1, record_id, run_id, day from next order by record_id, day on conflict do nothing
)
select record_id, run_id, (select count(*)::int from next) as total from next order by record_id desc, run_id desc limit 1`;

/** `$1` project, `$2` and `$3` the record and run that come before, `$4` how many. */
export const WALK_RECORDS = walk(`
  select id as record_id, run_id, (created_at at time zone 'UTC')::date as day from records
  where project_id = $1 and (id, run_id) > ($2::uuid, $3::uuid) order by id, run_id limit $4`);
/** The same over what was exported; of a record that is under several days all of them. */
export const WALK_EXPORTED = walk(`
  select record_id, run_id, day from exported_records
  where project_id = $1 and (record_id, run_id) > ($2::uuid, $3::uuid) order by record_id, run_id fetch first ($4::bigint) rows with ties`);

/** Sessions that are more than a trace by themselves, likewise. */
export const WALK_SESSIONS = walk(`
  select id as record_id, run_id, (created_at at time zone 'UTC')::date as day from sessions
  where project_id = $1 and (id, run_id) > ($2::uuid, $3::uuid) order by id, run_id limit $4`);

/** `$1` project, `$2` now. */
export const NEXT_DAY = `
select ${DAY('day')} as day, due_at, remove_at from exported_days where project_id = $1 and due_at <= $2 order by due_at, day limit 1`;

/** `$1` project, `$2` day, `$3` when its files are put together, unless that is planned. */
export const PLAN_MERGE = `
insert into exported_days (project_id, day, due_at) values ($1, $2::date, $3) on conflict do nothing`;

/** `$1` project, `$2` day, `$3` when it is looked at next, `$4` when files may go. */
export const KEEP_DAY = 'update exported_days set due_at = $3, remove_at = $4 where project_id = $1 and day = $2::date';
export const LEAVE_DAY = 'delete from exported_days where project_id = $1 and day = $2::date';

/** `$1` project, `$2` day, `$3` how many. */
export const LIST_CHANGES = `
select c.record_id, c.run_id, c.sequence::text as token, e.record_id is not null as is_exported, e.version, e.scores, e.session_scores, e.ratings
from (select * from export_changes where project_id = $1 and day = $2::date order by record_id, run_id limit $3) c
left join lateral (
  select record_id, version, scores, session_scores, ratings from exported_records
  where project_id = $1 and record_id = c.record_id and (run_id = c.run_id) is true and day = $2::date offset 0
) e on true
order by c.record_id, c.run_id`;

/** `$3` to `$5` files, rows and bytes, `$6` the last file, `$7` when it is due again. Numbers of files are used up by files alone. */
export const COMMIT = `
update data_exports set ${WELL}, planned_day = null, sequence = sequence + least($3::int, 1), num_files = num_files + $3::int,
  num_rows = num_rows + $4::bigint, num_bytes = num_bytes + $5::bigint, last_file = coalesce($6::jsonb, last_file), due_at = $7 ${MINE}`;

/** `$1` project, `$2` day, `$3` states as JSON. */
export const KEEP_STATES = `
insert into exported_records (project_id, record_id, run_id, day, version, scores, session_scores, ratings)
select $1, record_id, run_id, $2::date, version, scores, session_scores, ratings
from jsonb_to_recordset($3::jsonb) as row(record_id uuid, run_id uuid, version text, scores jsonb, session_scores jsonb, ratings jsonb)
on conflict (project_id, record_id, run_id, day) do update set version = excluded.version, scores = excluded.scores,
  session_scores = excluded.session_scores, ratings = excluded.ratings`;

/** `$1` project, `$2` and `$3` ids and their runs. */
export const LIST_SCORES = `
select s.* from unnest($2::uuid[], $3::uuid[]) as wanted(id, run_id) cross join lateral (
  (select ${SCORE_NAMES}, times_scored, false as of_session from scores
    where project_id = $1 and record_id = wanted.id and (run_id = wanted.run_id) is true offset 0)
  union all
  (select ${SCORE_NAMES}, times_scored, true from session_scores
    where project_id = $1 and record_id = wanted.id and (run_id = wanted.run_id) is true offset 0)
) s order by s.run_id, s.record_id, s.of_session, s.scored_at, s.scorer_version_id`;

/** The same. */
export const LIST_RATINGS = `
select r.* from unnest($2::uuid[], $3::uuid[]) as wanted(id, run_id) cross join lateral (
  (select project_id, run_id, record_id, 'feedback' as source, name, null::uuid as annotator_id, feedback_type as rating_type, value,
      explanation, rated_at, false as is_decision
    from feedback where project_id = $1 and record_id = wanted.id and (run_id = wanted.run_id) is true offset 0)
  union all
  (select a.project_id, a.run_id, a.record_id, 'annotation', a.template_id::text, a.annotator_id, t.annotation_type, a.value,
      a.explanation, a.rated_at, a.is_decision
    from (
      select * from annotations where project_id = $1 and record_id = wanted.id and (run_id = wanted.run_id) is true offset 0
    ) a join annotation_templates t on t.project_id = $1 and t.id = a.template_id)
) r order by r.run_id, r.record_id, r.rated_at, r.source, r.name, r.annotator_id`;

/** The same. */
export const LIST_SESSIONS = `
select s.* from unnest($2::uuid[], $3::uuid[]) as wanted(id, run_id) cross join lateral (
  select run_id, id as record_id, created_at from sessions
  where project_id = $1 and id = wanted.id and (run_id = wanted.run_id) is true offset 0
) s`;

/** `$1` project, `$2` day, `$3` and `$4` records and their runs. */
export const LEAVE_STATES = `
delete from exported_records using unnest($3::uuid[], $4::uuid[]) as gone(id, run_id)
where exported_records.project_id = $1 and day = $2::date and record_id = gone.id and (exported_records.run_id = gone.run_id) is true`;

/** The same with `$5`, the number that each change had: one that has another by now stays. Held in the order of those who note. */
export const TAKE_CHANGES = `
with held as materialized (
  select c.record_id, c.run_id from unnest($3::uuid[], $4::uuid[], $5::bigint[]) as done(id, run_id, sequence)
  join export_changes c on c.project_id = $1 and c.record_id = done.id and (c.run_id = done.run_id) is true and c.day = $2::date
    and c.sequence = done.sequence
  order by c.record_id, c.run_id for update of c
)
delete from export_changes using held
where export_changes.project_id = $1 and export_changes.day = $2::date
  and export_changes.record_id = held.record_id and (export_changes.run_id = held.run_id) is true`;

export const SUMMARY = `
select (select count(*)::int from export_changes) as num_waiting,
  (select min(first.noted_at) from data_exports d cross join lateral (
    select noted_at from export_changes where project_id = d.project_id order by sequence limit 1
  ) first where d.is_enabled) as waiting_since,
  (select count(*)::int from data_exports where is_enabled and failure is not null) as num_failing`;
