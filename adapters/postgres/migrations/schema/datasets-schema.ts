/** Datasets, prompts, and experiments with them. */
export const datasetsSchema = `
create table datasets (
  id uuid not null,
  name text not null,
  draft boolean not null,
  hidden boolean not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (id),
  constraint datasets_name_unique unique (name)
);

create table dataset_versions (
  dataset_id uuid not null,
  version_index int not null,
  id uuid not null,
  name text,
  created_at timestamptz(6) not null,
  created_by uuid not null,
  num_rows int not null,
  columns jsonb not null,
  rows_added int not null,
  rows_removed int not null,
  rows_edited int not null,
  columns_added int not null,
  columns_removed int not null,
  columns_renamed int not null,
  primary key (dataset_id, version_index)
);
create index dataset_versions_editor_index on dataset_versions (created_by, dataset_id, created_at);

create table dataset_manifests (
  dataset_id uuid not null,
  version_index int not null,
  block_ids int[] not null,
  block_sizes int[] not null,
  block_firsts int[] not null,
  next_revision int not null,
  next_block int not null,
  next_column int not null,
  last_position int not null,
  first_position int not null,
  primary key (dataset_id, version_index)
);

create table dataset_blocks (
  dataset_id uuid not null,
  block_id int not null,
  revisions int[] not null,
  positions int[] not null,
  primary key (dataset_id, block_id)
);

create table dataset_rows (
  dataset_id uuid not null,
  revision int not null,
  row_id uuid not null,
  position int not null,
  cells jsonb not null,
  created_in_version int not null,
  created_at timestamptz(6) not null,
  created_by uuid not null,
  updated_in_version int not null,
  updated_at timestamptz(6) not null,
  updated_by uuid not null,
  primary key (dataset_id, revision)
);
create index dataset_rows_row_id_index on dataset_rows (dataset_id, row_id);

create table dataset_projects (
  dataset_id uuid not null,
  project_id uuid not null,
  last_used_at timestamptz(6) not null,
  primary key (dataset_id, project_id)
);
create index dataset_projects_project_index on dataset_projects (project_id);

create table import_jobs (
  id uuid not null,
  updated_at timestamptz(6) not null,
  job jsonb not null,
  primary key (id)
);
create index import_jobs_updated_at_index on import_jobs (updated_at);

create table templates (
  id uuid not null,
  name text not null,
  hidden boolean not null,
  selected_version int not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (id),
  constraint templates_name_unique unique (name)
);

create table template_versions (
  template_id uuid not null,
  version int not null,
  id uuid not null,
  template jsonb not null,
  raw boolean not null,
  settings jsonb not null,
  output_type text,
  model_changed boolean not null,
  settings_changed boolean not null,
  content_changed boolean not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  primary key (template_id, version),
  constraint template_versions_id_unique unique (id)
);

create table template_projects (
  template_id uuid not null,
  project_id uuid not null,
  primary key (template_id, project_id)
);
create index template_projects_project_index on template_projects (project_id);

create table experiments (
  project_id uuid not null,
  run_id uuid not null,
  task_type int not null,
  dataset_id uuid,
  dataset_version_index int,
  dataset_name text,
  prompt jsonb,
  prompt_run_settings jsonb,
  playground_id uuid,
  playground_prompt_id uuid,
  generated double precision,
  primary key (project_id, run_id)
);
create index experiments_dataset_index on experiments (project_id, dataset_id);

create table run_tags (
  project_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  key text not null,
  value text not null,
  tag_type text not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (project_id, run_id, id),
  constraint run_tags_key_unique unique (project_id, run_id, key)
);
`;
