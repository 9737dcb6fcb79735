import { Migration } from '@mikro-orm/migrations';

/** Lists of records as people saved them. */
export class SavedViews extends Migration {
  override name = 'm0027-saved-views';

  override up(): void {
    this.addSql(`
create table if not exists saved_views (
  project_id uuid not null,
  id uuid not null,
  name text not null,
  is_shared boolean not null,
  state jsonb not null,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
create index if not exists saved_views_created_by_index on saved_views (created_by)`);
  }
}
