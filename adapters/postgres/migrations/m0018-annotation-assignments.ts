import { Migration } from '@mikro-orm/migrations';

/**
 * Annotation queues with assignees, several answers a record and reviewers. Claims and ends that are there become assignments; their
 * columns go. An answer may be a reviewer's decision.
 */
export class AnnotationAssignments extends Migration {
  override name = 'm0018-annotation-assignments';

  override up(): void {
    this.addSql('alter table annotations add column if not exists is_decision boolean not null default false');
    this.addSql(`alter table annotation_queues
  add column if not exists assignee_ids jsonb not null default '[]',
  add column if not exists reviewer_ids jsonb not null default '[]',
  add column if not exists answers_required int not null default 1,
  add column if not exists review text not null default 'none',
  add column if not exists order_by text not null default 'added',
  add column if not exists reservation_seconds int not null default 1800`);
    // The defaults are for the rows that were there.
    this.addSql('alter table annotations alter column is_decision drop default');
    this.addSql(`alter table annotation_queues
  alter column assignee_ids drop default, alter column reviewer_ids drop default, alter column answers_required drop default,
  alter column review drop default, alter column order_by drop default, alter column reservation_seconds drop default`);
    this.addSql('alter table annotation_items add column if not exists record_created_at timestamptz(6)');
    this.addSql('create index if not exists annotation_items_record_index on annotation_items (project_id, record_id)');
    this.addSql(`create table if not exists annotation_assignments (
  project_id uuid not null,
  queue_id uuid not null,
  record_id uuid not null,
  annotator_id uuid not null,
  run_id uuid not null,
  role text not null,
  status text not null,
  reserved_until timestamptz(6),
  skip_reason text,
  ended_at timestamptz(6),
  primary key (project_id, queue_id, record_id, annotator_id)
)`);
    this.addSql(`do $$ begin
if exists (select from information_schema.columns
  where table_schema = current_schema() and table_name = 'annotation_items' and column_name = 'claimed_by') then
  insert into annotation_assignments (project_id, queue_id, record_id, annotator_id, run_id, role, status, reserved_until, ended_at)
  select project_id, queue_id, record_id, coalesce(ended_by, claimed_by), run_id, 'annotator',
    case status when 'done' then 'answered' when 'skipped' then 'skipped' else 'reserved' end,
    case when status = 'pending' then claimed_until end, ended_at
  from annotation_items where coalesce(ended_by, claimed_by) is not null
  on conflict do nothing;
end if;
end $$`);
    this.addSql(`alter table annotation_items
  drop column if exists claimed_by, drop column if exists claimed_until, drop column if exists ended_by, drop column if exists ended_at`);
  }
}
