import type { Job, PgBoss } from 'pg-boss';

type Database = ReturnType<PgBoss['getDb']>;

/**
 * pg-boss has no index for what waits of one group or run: without them, whoever asks for one reads the jobs of all others. They
 * are looked for first, since `if not exists` alone would wait for everybody who writes jobs.
 */
const INDEXES = {
  touchstone_backlog: "(name, group_id, (data ->> 'run_id'))",
  touchstone_ready: '(name, group_id, start_after)',
};

export async function createIndexes(database: Database): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    const { rows } = await database.executeSql(`select to_regclass('pgboss.${name}') as found`);
    if (rows[0].found !== null) continue;
    await database.executeSql(createIndexSql(name, columns));
  }
}

/** Under a lock: of instances that start at the same time all but one would fail, in spite of `if not exists`. */
const createIndexSql = (name: string, columns: string): string => `do $$ begin
  perform pg_advisory_xact_lock(hashtext('touchstone_job_indexes'));
  create index if not exists ${name} on pgboss.job_common ${columns} where state < 'active';
end $$`;

/** Groups that are looked at in one go. */
export const GROUPS_AT_ONCE = 200;

/**
 * Loose index scan: one look into the index for each group, however many jobs it has. `$1` queue, `$2` the group after which to
 * begin, null for the first.
 */
const READY_GROUPS = `
with recursive seen as (
  (select group_id, 1 as place from pgboss.job
   where name = $1 and state < 'active' and ($2::text is null or group_id > $2) order by group_id limit 1)
  union all
  select next.group_id, seen.place + 1 from seen cross join lateral (
    select group_id from pgboss.job where name = $1 and state < 'active' and group_id > seen.group_id order by group_id limit 1
  ) next where seen.place < ${GROUPS_AT_ONCE}
)
select seen.group_id, seen.place, due.start_after is not null as is_ready
from seen left join lateral (
  select start_after from pgboss.job
  where name = $1 and state < 'active' and group_id = seen.group_id and start_after <= pgboss.job_now()
  order by start_after limit 1
) due on true
order by due.start_after`;

/**
 * As `fetchNextJob` of pg-boss does, for some batches of each of some groups. `$1` queue, `$2` groups, `$3` how many batches of each
 * at most, `$4` names of the lists by which jobs of a batch may differ, `$5` how many entries these lists may have in all, and so how
 * many jobs are looked at for each batch. One look into the index for each group. A job that was begun before is a batch of its own:
 * whatever ended it, it shall not end others.
 */
const CLAIM = `
with waiting as materialized (
  select found.* from unnest($2::text[], $3::integer[]) as wanted(group_id, most) cross join lateral (
    select id, group_id, start_after, wanted.most,
      case when started_on is null and $5::integer > 1 then (data - $4::text[])::text else id::text end as batch,
      (select sum(jsonb_array_length(data -> list)) from unnest($4::text[]) as list) as entries
    from pgboss.job
    where name = $1 and state < 'active' and not blocked and group_id = wanted.group_id and start_after <= pgboss.job_now()
    order by start_after limit wanted.most * $5::integer for update skip locked
  ) as found
), batched as (
  select id, group_id, batch, most, row_number() over by_age as place, sum(entries) over by_age as entries,
    min(start_after) over (partition by group_id, batch) as since
  from waiting window by_age as (partition by group_id, batch order by start_after, id)
), next as materialized (
  select id, batch
  from (select *, dense_rank() over (partition by group_id order by since, batch) as batch_place from batched) as ranked
  where batch_place <= most and (place = 1 or entries <= $5::integer)
)
update pgboss.job as job set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
  retry_count = case when started_on is not null then retry_count + 1 else retry_count end
from next where job.name = $1 and job.id = next.id
returning job.id, job.name, job.data, job.retry_count as "retryCount", job.group_id as "groupId", next.batch`;

export type ClaimedJob<T> = Pick<Job<T>, 'id' | 'name' | 'data' | 'retryCount'> & {
  readonly groupId: string;
  /** The same for jobs that are done as one. */
  readonly batch: string;
};

interface GroupRow {
  readonly group_id: string;
  readonly place: number;
  readonly is_ready: boolean;
}

export interface ReadyGroups {
  /** With jobs that are due, the one that waits longest first. */
  readonly groups: readonly string[];
  /** Where to go on; undefined when these were the last ones. */
  readonly after: string | undefined;
}

/** Groups with jobs to be taken, of the first ones after the given one. */
export async function findReadyGroups(database: Database, queue: string, after: string | undefined): Promise<ReadyGroups> {
  const rows: GroupRow[] = (await database.executeSql(READY_GROUPS, [queue, after ?? null])).rows;
  const groups = rows.filter(({ is_ready }) => is_ready).map(({ group_id }) => group_id);
  return { groups, after: rows.find(({ place }) => place === GROUPS_AT_ONCE)?.group_id };
}

/**
 * Puts jobs back as if they had never been begun, so that their next claim is no further attempt. They rest for a tenth of
 * their age, up to half a minute. `$1` queue, `$2` jobs. A job that is older than a day stays as it is.
 */
const POSTPONE = `
update pgboss.job set state = 'created', started_on = null, heartbeat_on = null, start_after = pgboss.job_now()
  + least(30, greatest(1, extract(epoch from pgboss.job_now() - created_on) / 10)) * (0.75 + random() / 2) * interval '1 second'
where name = $1 and id = any($2::uuid[]) and state = 'active' and created_on > pgboss.job_now() - interval '1 day'
returning id`;

/** Returns the ids of those that were put back: not those that have been tried for a day, or are somebody else's by now. */
export async function postponeJobs(database: Database, queue: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.executeSql(POSTPONE, [queue, ids]);
  return new Set(rows.map(({ id }: { id: string }) => id));
}

export interface ClaimSettings {
  /** Names of lists of a job. Jobs that are equal but for these may be claimed as one batch. */
  readonly lists: readonly string[];
  /** Entries that the lists of a batch have in all; a single job may have more. 1: no batches. */
  readonly maxEntries: number;
}

/**
 * Of each group the jobs that wait longest, as many batches as are wanted of it. Fewer when there are no more, or others are
 * taking them.
 */
export async function claimJobs<T>(
  database: Database,
  queue: string,
  wanted: ReadonlyMap<string, number>,
  { lists, maxEntries }: ClaimSettings,
): Promise<ClaimedJob<T>[]> {
  const { rows } = await database.executeSql(CLAIM, [queue, [...wanted.keys()], [...wanted.values()], lists, maxEntries]);
  return rows;
}
