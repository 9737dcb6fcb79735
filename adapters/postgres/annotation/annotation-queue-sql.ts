/** Queues of a project, or one of them, with how far they are. */
export const COUNTED = `
select q.*,
  count(i.record_id) filter (where i.status = 'pending')::int as num_pending,
  count(i.record_id) filter (where i.status = 'review')::int as num_in_review,
  count(i.record_id) filter (where i.status = 'done')::int as num_done,
  count(i.record_id) filter (where i.status = 'skipped')::int as num_skipped
from annotation_queues q left join annotation_items i on i.project_id = q.project_id and i.queue_id = q.id
where q.project_id = $1 and ($2::uuid is null or q.id = $2)
group by q.project_id, q.id order by q.created_at desc, q.id desc`;

/** The queue is locked: positions are given out one after the other. */
export const ADD = `
with queue as (
  select project_id, id, run_id, (judge_disagreement ->> 'scorer_id')::uuid as scorer_id from annotation_queues
  where project_id = $1 and id = $2 for update
), last as (
  select coalesce(max(position), 0) as position from annotation_items where project_id = $1 and queue_id = $2
), added as (
  insert into annotation_items (project_id, queue_id, record_id, run_id, position, status, record_created_at, judge_disagreement)
  select queue.project_id, queue.id, given.record_id, queue.run_id, last.position + given.number, 'pending', r.created_at, (
    select 1 - (s.effort ->> 'agreement')::double precision from scores s
    where s.project_id = $1 and s.record_id = given.record_id and s.run_id = queue.run_id and s.scorer_id = queue.scorer_id
    order by s.scored_at desc, s.scorer_version_id desc limit 1
  )
  from queue cross join last cross join unnest($3::uuid[]) with ordinality as given(record_id, number)
  left join records r on r.project_id = $1 and r.id = given.record_id and (r.run_id = queue.run_id) is true
  on conflict (project_id, queue_id, record_id) do nothing
  returning record_id
)
select count(*)::int as added from added`;

/**
 * A mutex for each queue. What a statement reads is as old as its beginning, so that one that looked for free records and then waited
 * for a lock on them would not see who has them by now: this is a statement before it.
 */
export const LOCK_QUEUE = 'select id from annotation_queues where project_id = $1 and id = $2 for update';

/** `$3` who, `$4` in which role, `$5` the status of items for it, `$6` now, `$7` until when. */
export const RESERVE = `
with next as (
  select i.project_id, i.queue_id, i.record_id, i.run_id
  from annotation_items i
  join annotation_queues q on q.project_id = i.project_id and q.id = i.queue_id
  left join annotation_assignments mine on mine.project_id = i.project_id and mine.queue_id = i.queue_id
    and mine.record_id = i.record_id and mine.annotator_id = $3
  where i.project_id = $1 and i.queue_id = $2 and i.status = $5 and coalesce(mine.status, 'reserved') = 'reserved'
    and (
      select count(*) from annotation_assignments a
      where a.project_id = i.project_id and a.queue_id = i.queue_id and a.record_id = i.record_id and a.annotator_id <> $3
        and a.role = $4 and (a.status = 'answered' or a.status = 'reserved' and a.reserved_until > $6)
    ) < case when $4 = 'reviewer' then 1 else q.answers_required end
  order by (mine.annotator_id is not null) desc,
    case when q.order_by = 'oldest' then i.record_created_at end asc nulls last,
    case when q.order_by = 'newest' then i.record_created_at end desc nulls last,
    case when q.order_by = 'judge_disagreement' then i.judge_disagreement end desc nulls last,
    i.position
  limit 1
)
insert into annotation_assignments (project_id, queue_id, record_id, annotator_id, run_id, role, status, reserved_until)
select project_id, queue_id, record_id, $3, run_id, $4, 'reserved', $7 from next
on conflict (project_id, queue_id, record_id, annotator_id) do update
  set role = excluded.role, status = excluded.status, reserved_until = excluded.reserved_until
returning record_id, reserved_until`;

export const PUT_ASSIGNMENT = `
insert into annotation_assignments
  (project_id, queue_id, record_id, annotator_id, run_id, role, status, reserved_until, skip_reason, ended_at)
select project_id, queue_id, record_id, $4, run_id, $5, $6, $7, $8, $9 from annotation_items
where project_id = $1 and queue_id = $2 and record_id = $3
on conflict (project_id, queue_id, record_id, annotator_id) do update
  set role = excluded.role, status = excluded.status, reserved_until = excluded.reserved_until,
    skip_reason = excluded.skip_reason, ended_at = excluded.ended_at`;

/** `$3` a record or null, `$4` a status or null. */
export const ITEMS = `
select i.record_id, i.status, i.judge_disagreement, coalesce((
  select jsonb_agg(jsonb_build_object('annotator_id', a.annotator_id, 'role', a.role, 'status', a.status,
    'reserved_until', a.reserved_until, 'skip_reason', a.skip_reason, 'ended_at', a.ended_at) order by a.annotator_id)
  from annotation_assignments a
  where a.project_id = i.project_id and a.queue_id = i.queue_id and a.record_id = i.record_id
), '[]') as assignments
from annotation_items i
where i.project_id = $1 and i.queue_id = $2 and ($3::uuid is null or i.record_id = $3) and ($4::text is null or i.status = $4)
order by i.position offset $5 limit $6`;

export const WORK = `
select annotator_id,
  count(*) filter (where status = 'reserved' and reserved_until > $3)::int as num_reserved,
  count(*) filter (where status = 'answered' and role = 'annotator')::int as num_answered,
  count(*) filter (where status = 'skipped')::int as num_skipped,
  count(*) filter (where status = 'answered' and role = 'reviewer')::int as num_reviewed,
  max(ended_at) as last_at
from annotation_assignments where project_id = $1 and queue_id = $2
group by annotator_id order by annotator_id`;

export const SKIP_REASONS = `
select skip_reason as reason, count(*)::int as count from annotation_assignments
where project_id = $1 and queue_id = $2 and status = 'skipped'
group by skip_reason order by count(*) desc, coalesce(skip_reason, '') collate "C" limit $3`;
