/** Projects and their runs, the records logged there, what people rate of them. */
export const recordsSchema = `
create table projects (
  id uuid not null,
  name text not null,
  type text not null,
  created_by uuid,
  description text,
  labels jsonb not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  type_is_default boolean not null,
  primary key (id),
  constraint projects_type_name_unique unique (type, name)
);

create table project_files (
  project_id uuid not null,
  id uuid not null,
  filename text not null,
  content_type text not null,
  size_bytes int not null,
  upload_metadata text not null,
  content bytea not null,
  created_by uuid,
  created_at timestamptz(6) not null,
  primary key (project_id, id)
);

create table runs (
  project_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  created_by uuid,
  has_user_created_sessions boolean not null,
  metric_settings jsonb not null,
  settings_revision int not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (project_id, id),
  constraint runs_project_id_kind_name_unique unique (project_id, kind, name)
);

create table run_origins (
  project_id uuid not null,
  run_id uuid not null,
  dataset_id uuid,
  dataset_version_index int,
  scorer_id uuid,
  scorer_version_id uuid,
  source_run_id uuid,
  primary key (project_id, run_id)
);

create table records (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  trace_id uuid not null,
  parent_id uuid,
  session_id uuid not null,
  type text not null,
  is_trace boolean not null,
  name text not null,
  created_at timestamptz(6) not null,
  position int not null,
  updated_at timestamptz(6) not null,
  input text not null,
  output text,
  redacted_input text,
  redacted_output text,
  payload_kinds smallint not null,
  status_code int,
  duration_ns bigint,
  step_number int,
  tags text[],
  external_id text,
  is_complete boolean not null,
  has_children boolean not null,
  dataset_input text,
  dataset_output text,
  user_metadata jsonb,
  dataset_metadata jsonb,
  metrics jsonb,
  attributes jsonb,
  content_blocks text,
  primary key (project_id, id, run_id)
);
create index records_newest_index on records (project_id, run_id, is_trace, created_at, id);
create index records_trace_index on records (project_id, trace_id);
create index records_session_index
  on records (project_id, run_id, session_id, created_at, id) where is_trace and session_id <> id;
create index records_own_session_index
  on records (project_id, run_id, created_at, id) where is_trace and session_id = id;
create index records_incomplete_index on records (project_id, updated_at) where is_trace and not is_complete;

-- Not every build of PostgreSQL carries lz4; without it the default compression serves.
do $$ begin
  alter table records
    alter column input set compression lz4,
    alter column output set compression lz4,
    alter column redacted_input set compression lz4,
    alter column redacted_output set compression lz4;
exception when feature_not_supported then null;
end $$;

-- Records on their way into the table.
create type incoming_record as (
  project_id uuid,
  id uuid,
  run_id uuid,
  trace_id uuid,
  parent_id uuid,
  session_id uuid,
  type text,
  is_trace boolean,
  name text,
  created_at timestamptz,
  position int,
  input text,
  output text,
  redacted_input text,
  redacted_output text,
  payload_kinds smallint,
  status_code int,
  duration_ns bigint,
  step_number int,
  tags text[],
  external_id text,
  is_complete boolean,
  has_children boolean,
  dataset_input text,
  dataset_output text,
  user_metadata jsonb,
  dataset_metadata jsonb,
  metrics jsonb,
  attributes jsonb,
  content_blocks text
);

create table sessions (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  name text,
  external_id text,
  previous_session_id uuid,
  user_metadata jsonb,
  is_derived boolean not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (project_id, id, run_id)
);
create index sessions_newest_index on sessions (project_id, run_id, created_at, id);
create unique index sessions_external_id_unique
  on sessions (project_id, run_id, external_id) where external_id is not null;

create table record_columns (
  project_id uuid not null,
  run_id uuid not null,
  column_id text not null,
  type text not null,
  data_type text not null,
  primary key (project_id, run_id, column_id, type, data_type)
);

create table retention_rules (
  project_id uuid not null,
  run_id uuid not null,
  days int not null,
  primary key (project_id, run_id)
);

create table feedback (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  name text not null,
  feedback_type text not null,
  value jsonb not null,
  explanation text,
  rated_at timestamptz(6) not null,
  primary key (project_id, record_id, run_id, name)
);

create table annotation_templates (
  project_id uuid not null,
  id uuid not null,
  name text not null,
  annotation_type text not null,
  instructions text not null,
  choices jsonb not null,
  min int not null,
  max int not null,
  created_by uuid,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (project_id, id),
  constraint annotation_templates_name_unique unique (project_id, name)
);

create table annotations (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  template_id uuid not null,
  annotator_id uuid not null,
  value jsonb not null,
  explanation text,
  rated_at timestamptz(6) not null,
  primary key (project_id, record_id, run_id, template_id, annotator_id)
);
create index annotations_template_index on annotations (project_id, template_id);

create table annotation_queues (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  name text not null,
  template_ids jsonb not null,
  created_by uuid,
  created_at timestamptz(6) not null,
  primary key (project_id, id)
);

create table annotation_items (
  project_id uuid not null,
  queue_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  position int not null,
  status text not null,
  claimed_by uuid,
  claimed_until timestamptz(6),
  ended_by uuid,
  ended_at timestamptz(6),
  primary key (project_id, queue_id, record_id)
);
create index annotation_items_next_index on annotation_items (project_id, queue_id, status, position);
`;
