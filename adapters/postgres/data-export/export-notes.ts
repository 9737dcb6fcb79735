import { toPlainArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

/** A record that changed, with its day where that is known. */
export interface ChangedRecord {
  readonly record_id: string;
  readonly created_at: string;
}

const NOTED = `
on conflict (project_id, record_id, run_id, day) do update set sequence = excluded.sequence`;

/**
 * Puts records and sessions of a run on the list of changes of the export: under the days given, those of sessions, and those that files or
 * the list have them under. In one order, as everybody who holds rows of the list. `$1` project, `$2` run, `$3` ids, `$4` and `$5` ids and days.
 */
const NOTE_RECORDS = `
insert into export_changes (project_id, record_id, run_id, day)
select $1, changed.record_id, $2, changed.day from (
  select record_id, day from unnest($4::uuid[], $5::date[]) as given(record_id, day)
  union
  select s.id, (s.created_at at time zone 'UTC')::date from unnest($3::uuid[]) as wanted(id) cross join lateral (
    select id, created_at from sessions where project_id = $1 and id = wanted.id and (run_id = $2) is true offset 0
  ) s
  union
  select e.record_id, e.day from unnest($3::uuid[]) as wanted(id) cross join lateral (
    select record_id, day from exported_records where project_id = $1 and record_id = wanted.id and (run_id = $2) is true offset 0
  ) e
  union
  select c.record_id, c.day from unnest($3::uuid[]) as wanted(id) cross join lateral (
    select record_id, day from export_changes where project_id = $1 and record_id = wanted.id and (run_id = $2) is true offset 0
  ) c
) changed order by changed.record_id, changed.day ${NOTED}`;

/** Records of a run that is deleted: those that are in files, and those that are on their way there. */
const NOTE_RUN = `
insert into export_changes (project_id, record_id, run_id, day)
select project_id, record_id, run_id, day from (
  select project_id, record_id, run_id, day from exported_records where project_id = $1 and run_id = $2
  union
  select project_id, record_id, run_id, day from export_changes where project_id = $1 and run_id = $2
) gone order by record_id, day ${NOTED}`;

/** Whoever is at work on its files has time until its claim ends. */
const REMOVE_PROJECT = `
with gone as (
  update data_exports set is_removed = true, is_enabled = false, attempt = attempt + 1, planned_day = null, walk = null,
    failures = 0, failure = null, failing_since = null, due_at = greatest(now(), claimed_until)
  where project_id = $1
), unlisted as (
  delete from export_changes where project_id = $1
), unplanned as (
  delete from exported_days where project_id = $1
)
delete from exported_records where project_id = $1`;

/** Whether a run's changes are handed on; a column of a statement over `runs`. */
export const IS_EXPORTED = 'exists (select from data_exports where project_id = runs.project_id and is_enabled) as is_exported';

/** Hands changes of a run on to the export, in the transaction that takes them from the list of the record index. */
export async function noteForExport(
  session: PostgresSession,
  { project_id, run_id }: { readonly project_id: string; readonly run_id: string },
  ids: readonly string[],
  known: readonly ChangedRecord[],
): Promise<void> {
  const days = known.map(({ created_at }) => created_at.slice(0, 'yyyy-mm-dd'.length));
  const columns = [ids, known.map(({ record_id }) => record_id), days].map(toPlainArray);
  await session.sql(NOTE_RECORDS, [project_id, run_id, ...columns]);
}

/** Notes that all records of a run, or of a whole project, are being removed. */
export const noteRemovalForExport = (session: PostgresSession, project_id: string, run_id: string | undefined) =>
  run_id === undefined ? session.sql(REMOVE_PROJECT, [project_id]) : session.sql(NOTE_RUN, [project_id, run_id]);
