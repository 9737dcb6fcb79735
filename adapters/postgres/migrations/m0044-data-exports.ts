import { Migration } from '@mikro-orm/migrations';

/** Export of records and scores as files: settings and progress, the list of what changed, and what the files say. */
export class DataExports extends Migration {
  override name = 'm0044-data-exports';

  override up(): void {
    this.addSql(`
create table if not exists data_exports (
  project_id uuid not null primary key,
  is_enabled boolean not null,
  is_removed boolean not null default false,
  content jsonb not null,
  target text,
  walk jsonb,
  sequence bigint not null default 0,
  planned_day date,
  attempt bigint not null default 0,
  claimed_until timestamptz(6),
  due_at timestamptz(6) not null,
  failures int not null default 0,
  failure text,
  failing_since timestamptz(6),
  num_files bigint not null default 0,
  num_rows bigint not null default 0,
  num_bytes bigint not null default 0,
  last_file jsonb
);
create index if not exists data_exports_due_index on data_exports (due_at) where is_enabled or is_removed;
create table if not exists export_changes (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  day date not null,
  sequence bigserial not null,
  noted_at timestamptz(6) not null default now(),
  primary key (project_id, record_id, run_id, day)
);
create index if not exists export_changes_sequence_index on export_changes (project_id, sequence);
create index if not exists export_changes_day_index on export_changes (project_id, day);
create table if not exists exported_records (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  day date not null,
  version text,
  scores jsonb,
  primary key (project_id, record_id, run_id, day)
);
create index if not exists exported_records_run_index on exported_records (project_id, run_id)`);
  }
}
