import { Migration } from '@mikro-orm/migrations';

/** Words of people about traces, spans and sessions. */
export class Comments extends Migration {
  override name = 'm0028-comments';

  override up(): void {
    this.addSql(`
create table if not exists comments (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  record_id uuid not null,
  text text not null,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
create index if not exists comments_record_index on comments (project_id, run_id, record_id);
create index if not exists comments_created_at_index on comments (project_id, created_at)`);
  }
}
