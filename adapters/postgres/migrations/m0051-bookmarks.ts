import { Migration } from '@mikro-orm/migrations';

/** Marks of people on traces, spans and sessions. */
export class Bookmarks extends Migration {
  override name = 'm0051-bookmarks';

  override up(): void {
    this.addSql(`
create table if not exists bookmarks (
  project_id uuid not null,
  user_id uuid not null,
  run_id uuid not null,
  record_id uuid not null,
  is_shared boolean not null,
  created_at timestamptz not null,
  primary key (project_id, user_id, run_id, record_id)
);
create index if not exists bookmarks_record_index on bookmarks (project_id, run_id, record_id);
create index if not exists bookmarks_user_index on bookmarks (user_id)`);
  }
}
