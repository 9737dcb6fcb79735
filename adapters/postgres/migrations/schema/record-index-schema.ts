/** Tables derived from records: their number, their metrics by the hour and by value, their words. */
export const recordIndexSchema = `
create table record_changes (
  project_id uuid not null,
  run_id uuid not null,
  sequence bigserial,
  record_ids uuid[] not null,
  num_traces int not null,
  num_spans int not null,
  primary key (project_id, run_id, sequence)
);
create index record_changes_sequence_index on record_changes (sequence);

create table run_counts (
  project_id uuid not null,
  run_id uuid not null,
  num_traces bigint not null,
  num_spans bigint not null,
  primary key (project_id, run_id)
);

create table indexed_records (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  type text not null,
  created_at timestamptz(6) not null,
  is_error boolean not null,
  numbers text not null,
  words text not null,
  block bigint not null,
  primary key (project_id, record_id, run_id)
);

do $$ begin
  alter table indexed_records alter column words set compression lz4;
exception when feature_not_supported then null;
end $$;

create table record_numbers (
  project_id uuid not null,
  run_id uuid not null,
  name text not null,
  created_at timestamptz(6) not null,
  record_id uuid not null,
  type text not null,
  value double precision not null,
  primary key (project_id, run_id, name, created_at, record_id)
);
create index record_numbers_value_index on record_numbers (project_id, run_id, name, value);

create table hourly_numbers (
  project_id uuid not null,
  run_id uuid not null,
  name text not null,
  type text not null,
  hour timestamptz(6) not null,
  count bigint not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  sketch jsonb not null,
  primary key (project_id, run_id, name, type, hour)
);

create table word_blocks (
  project_id uuid not null,
  run_id uuid not null,
  block bigserial,
  record_ids uuid[] not null,
  is_open boolean not null,
  primary key (project_id, run_id, block)
);
create index word_blocks_open_index on word_blocks (project_id, run_id) where is_open;

create table word_postings (
  project_id uuid not null,
  run_id uuid not null,
  slice smallint not null,
  block bigint not null,
  postings text not null,
  primary key (project_id, run_id, slice, block)
);

-- Kept as they are: to compress them would cost more than it saves.
alter table word_blocks alter column record_ids set storage external;
alter table word_postings alter column postings set storage external;
`;
