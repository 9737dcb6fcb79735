import { Migration } from '@mikro-orm/migrations';

/** Rules that fill datasets from runs, and the records that they have still to look at. */
export class DatasetRules extends Migration {
  override name = 'm0038-dataset-rules';

  override up(): void {
    this.addSql(`
create table if not exists dataset_rules (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  dataset_id uuid not null,
  name text not null,
  record_type text not null,
  filters jsonb not null,
  filter_tree jsonb null,
  sample_rate double precision not null,
  columns jsonb null,
  max_rows_per_day int not null,
  batch_minutes int not null,
  is_enabled boolean not null,
  paused_reason text null,
  paused_message text null,
  paused_at timestamptz null,
  created_by uuid not null,
  enabled_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_run_at timestamptz null,
  last_added_at timestamptz null,
  last_version_index int null,
  num_added bigint not null,
  num_left_out bigint not null,
  added_today int not null,
  due_at timestamptz not null,
  primary key (project_id, id)
);
create index if not exists dataset_rules_run_index on dataset_rules (project_id, run_id);
create index if not exists dataset_rules_due_index on dataset_rules (due_at);
create table if not exists dataset_rule_changes (
  project_id uuid not null,
  rule_id uuid not null,
  sequence bigserial,
  run_id uuid not null,
  record_ids uuid[] not null,
  primary key (project_id, rule_id, sequence)
)`);
  }
}
