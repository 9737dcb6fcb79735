/** Scorers, what they found, the models they call, and how far they can be trusted. */
export const scorersSchema = `
create table scorers (
  id uuid not null,
  name text not null,
  scorer_type text not null,
  description text not null,
  tags jsonb not null,
  defaults jsonb,
  model_type text,
  ground_truth boolean,
  default_version_id uuid,
  user_prompt text,
  scoreable_node_types jsonb,
  output_type text,
  input_type text,
  required_scorers jsonb,
  created_by uuid,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  label text not null,
  multimodal_capabilities jsonb,
  roll_up_method text,
  deprecated boolean not null,
  primary key (id),
  constraint scorers_name_scorer_type_unique unique (name, scorer_type)
);

create table scorer_versions (
  id uuid not null,
  scorer_id uuid not null,
  version int not null,
  kind text not null,
  definition jsonb not null,
  model_name text,
  num_judges int,
  scoreable_node_types jsonb,
  cot_enabled boolean,
  output_type text,
  input_type text,
  created_by uuid,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (id),
  constraint scorer_versions_scorer_id_version_unique unique (scorer_id, version)
);

create table scorer_validations (
  id uuid not null,
  kind text not null,
  definition jsonb not null,
  definition_hash text not null,
  plan jsonb not null,
  project_id uuid,
  run_id uuid,
  evidence jsonb,
  scorer_version_id uuid,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  primary key (id)
);
create index scorer_validations_version_index on scorer_validations (scorer_version_id);
create index scorer_validations_created_at_index on scorer_validations (created_at);

create table scorer_suspensions (
  project_id uuid not null,
  scorer_version_id uuid not null,
  scorer_id uuid not null,
  reason text not null,
  message text not null,
  suspended_at timestamptz(6) not null,
  primary key (project_id, scorer_version_id)
);
create index scorer_suspensions_scorer_index on scorer_suspensions (scorer_id);

create table scores (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  scorer_version_id uuid not null,
  scorer_id uuid not null,
  metric_name text not null,
  status_type text not null,
  value text,
  explanation text,
  message text,
  scored_at timestamptz(6) not null,
  effort jsonb,
  judged text,
  times_scored int not null,
  primary key (project_id, record_id, run_id, scorer_version_id)
);
create index scores_metric_index on scores (project_id, run_id, metric_name);

create table session_scores (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  scorer_version_id uuid not null,
  scorer_id uuid not null,
  metric_name text not null,
  status_type text not null,
  value text,
  explanation text,
  message text,
  scored_at timestamptz(6) not null,
  effort jsonb,
  judged text,
  times_scored int not null,
  primary key (project_id, record_id, run_id, scorer_version_id)
);

create table changed_sessions (
  project_id uuid not null,
  session_id uuid not null,
  run_id uuid not null,
  changed_at timestamptz(6) not null,
  primary key (project_id, session_id, run_id)
);
create index changed_sessions_time_index on changed_sessions (project_id, changed_at);

create table shadow_trials (
  project_id uuid not null,
  run_id uuid not null,
  scorer_id uuid not null,
  scorer_version_id uuid not null,
  sample_rate double precision not null,
  started_by uuid,
  started_at timestamptz(6) not null,
  primary key (project_id, run_id, scorer_id)
);

create table shadow_scores (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  scorer_version_id uuid not null,
  scorer_id uuid not null,
  metric_name text not null,
  status_type text not null,
  value text,
  explanation text,
  message text,
  scored_at timestamptz(6) not null,
  effort jsonb,
  judged text,
  times_scored int not null,
  primary key (project_id, record_id, run_id, scorer_version_id)
);
create index shadow_scores_trial_index on shadow_scores (project_id, run_id, scorer_version_id, record_id);

create table integrations (
  id uuid not null,
  name text not null,
  provider text not null,
  settings jsonb not null,
  key_id text not null,
  data_key text not null,
  secret_fields jsonb not null,
  is_disabled boolean not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (id),
  constraint integrations_created_by_name_unique unique (created_by, name)
);
create index integrations_key_id_index on integrations (key_id);

create table integration_selections (
  user_id uuid not null,
  provider text not null,
  integration_id uuid not null,
  primary key (user_id, provider)
);
create index integration_selections_integration_id_index on integration_selections (integration_id);

create table judge_answers (
  project_id uuid not null,
  key text not null,
  run_id uuid not null,
  completion jsonb not null,
  expires_at timestamptz(6) not null,
  primary key (project_id, key)
);
create index judge_answers_expires_at_index on judge_answers (expires_at);

create table model_spending (
  project_id uuid not null,
  run_id uuid not null,
  scorer_id uuid not null,
  scorer_version_id uuid not null,
  provider text not null,
  model text not null,
  day date not null,
  calls bigint not null,
  failed_calls bigint not null,
  unpriced_calls bigint not null,
  cached_answers bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost double precision not null,
  user_id uuid not null,
  purpose text not null,
  primary key (project_id, run_id, scorer_id, scorer_version_id, user_id, purpose, provider, model, day)
);

create table health_scores (
  id uuid not null,
  scorer_id uuid not null,
  scorer_version_id uuid not null,
  scorer_version_number int not null,
  dataset_id uuid not null,
  dataset_version_index int,
  health_score_type text not null,
  with_overlay boolean not null,
  score double precision not null,
  secondary jsonb not null,
  run_id uuid not null,
  computed_at timestamptz(6) not null,
  interval jsonb,
  baseline jsonb,
  confusion_table jsonb,
  primary key (id),
  constraint health_scores_version_dataset_type_unique
    unique (scorer_version_id, dataset_id, health_score_type, with_overlay)
);
create index health_scores_scorer_index on health_scores (scorer_id, dataset_id, scorer_version_number);

create table scorer_gates (
  scorer_id uuid not null,
  dataset_id uuid not null,
  health_score_type text,
  margin double precision not null,
  updated_by uuid,
  updated_at timestamptz(6) not null,
  primary key (scorer_id)
);

create table truth_columns (
  dataset_id uuid not null,
  scorer_id uuid not null,
  column_key int not null,
  primary key (dataset_id, scorer_id)
);
`;
