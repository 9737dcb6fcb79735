/** Dashboards, alerts, insights, and the work that comes due behind requests. */
export const trendsSchema = `
create table trend_dashboards (
  project_id uuid not null,
  run_id uuid not null,
  dashboard jsonb not null,
  primary key (project_id, run_id)
);
create index trend_dashboards_contents_index on trend_dashboards using gin (dashboard jsonb_path_ops);

create table alerts (
  project_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  created_at timestamptz(6) not null,
  settings jsonb not null,
  progress jsonb not null,
  primary key (project_id, id)
);
create index alerts_run_index on alerts (project_id, run_id);

create table alert_transitions (
  project_id uuid not null,
  alert_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  at timestamptz(6) not null,
  transition jsonb not null,
  primary key (project_id, alert_id, id)
);
create index alert_transitions_time_index on alert_transitions (project_id, alert_id, at, id);

create table webhook_secrets (
  id uuid not null,
  project_id uuid not null,
  run_id uuid not null,
  key_id text not null,
  data_key text not null,
  secret_fields jsonb not null,
  primary key (id)
);
create index webhook_secrets_key_id_index on webhook_secrets (key_id);

create table webhook_deliveries (
  project_id uuid not null,
  id uuid not null,
  alert_id uuid not null,
  run_id uuid not null,
  at timestamptz(6) not null,
  delivery jsonb not null,
  primary key (project_id, id)
);
create index webhook_deliveries_time_index on webhook_deliveries (project_id, alert_id, at, id);

create table due_work (
  kind text not null,
  project_id uuid not null,
  id uuid not null,
  due_at timestamptz(6) not null,
  primary key (kind, project_id, id)
);
create index due_work_due_index on due_work (kind, due_at);

create table insights_settings (
  project_id uuid not null,
  run_id uuid not null,
  enabled boolean not null,
  start_time timestamptz(6),
  primary key (project_id, run_id)
);

create table insights (
  project_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  key text not null,
  status text not null,
  last_seen_at timestamptz(6) not null,
  insight jsonb not null,
  primary key (project_id, run_id, id),
  constraint insights_key_unique unique (project_id, run_id, key)
);

create table jobs (
  id uuid not null,
  job_name text not null,
  project_id uuid,
  run_id uuid,
  status text not null,
  retries int not null,
  request_data jsonb not null,
  state jsonb,
  result jsonb,
  error_message text,
  progress_message text,
  steps_completed int not null,
  steps_total int not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  processing_started timestamptz(6),
  completed_at timestamptz(6),
  failed_at timestamptz(6),
  primary key (id)
);
create index jobs_run_index on jobs (project_id, run_id, created_at);
`;
