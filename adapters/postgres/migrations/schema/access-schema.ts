/** Users and how they log in, groups, what is shared with whom, the audit log. */
export const accessSchema = `
create table organizations (
  id uuid not null,
  name text not null,
  primary key (id)
);

insert into organizations (id, name) values (gen_random_uuid(), 'default');

create table users (
  id uuid not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  role text not null,
  password_hash text,
  token_version int not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  auth_method text not null,
  email_is_verified boolean not null,
  is_disabled boolean not null,
  primary key (id),
  constraint users_email_unique unique (email)
);

create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz(6) not null,
  primary key (issuer, subject)
);
create index user_identities_user_id_index on user_identities (user_id);

create table api_keys (
  id uuid not null,
  user_id uuid not null,
  key_hash text not null,
  description text not null,
  truncated text not null,
  expires_at timestamptz(6),
  last_used_at timestamptz(6),
  created_at timestamptz(6) not null,
  project_id uuid,
  max_role text,
  primary key (id),
  constraint api_keys_key_hash_unique unique (key_hash)
);
create index api_keys_user_id_index on api_keys (user_id);
create index api_keys_project_id_index on api_keys (project_id);

create table refresh_tokens (
  token_hash text not null,
  family_id uuid not null,
  user_id uuid not null,
  token_version int not null,
  api_key_id uuid,
  created_at timestamptz(6) not null,
  expires_at timestamptz(6) not null,
  used_at timestamptz(6),
  primary key (token_hash)
);
create index refresh_tokens_family_id_index on refresh_tokens (family_id);
create index refresh_tokens_user_id_index on refresh_tokens (user_id);
create index refresh_tokens_expires_at_index on refresh_tokens (expires_at);

create table ended_sessions (
  session_id uuid not null,
  expires_at timestamptz not null,
  primary key (session_id)
);

create table verification_codes (
  code_hash text not null,
  user_id uuid not null,
  email text not null,
  created_at timestamptz(6) not null,
  expires_at timestamptz(6) not null,
  used_at timestamptz(6),
  primary key (code_hash)
);
create index verification_codes_user_id_index on verification_codes (user_id);

create table login_attempts (
  key text not null,
  count int not null,
  last_at timestamptz(6) not null,
  primary key (key)
);

create table used_id_tokens (
  token_hash text not null,
  expires_at timestamptz(6) not null,
  primary key (token_hash)
);

create table groups (
  id uuid not null,
  name text not null,
  description text not null,
  visibility text not null,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  primary key (id),
  constraint groups_name_unique unique (name)
);

create table group_members (
  group_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  role text not null,
  created_at timestamptz(6) not null,
  primary key (group_id, user_id)
);
create index group_members_user_id_index on group_members (user_id);

create table user_collaborators (
  object_kind text not null,
  object_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  role text not null,
  created_at timestamptz(6) not null,
  primary key (object_kind, object_id, user_id)
);
create index user_collaborators_user_id_index on user_collaborators (user_id, object_kind);

create table group_collaborators (
  object_kind text not null,
  object_id uuid not null,
  group_id uuid not null,
  id uuid not null,
  role text not null,
  created_at timestamptz(6) not null,
  primary key (object_kind, object_id, group_id)
);
create index group_collaborators_group_id_index on group_collaborators (group_id, object_kind);

create table shared_objects (
  object_kind text not null,
  object_id uuid not null,
  primary key (object_kind, object_id)
);

create table audit_log (
  sequence bigint not null,
  at timestamptz(6) not null,
  action text not null,
  object_kind text not null,
  object_id text,
  actor_id text,
  actor_email text,
  scheme text,
  api_key_id text,
  request_id text,
  address text,
  details jsonb not null,
  previous_hash text not null,
  hash text not null,
  primary key (sequence)
);
create index audit_log_at_index on audit_log (at);
create index audit_log_actor_id_index on audit_log (actor_id, sequence);
create index audit_log_object_id_index on audit_log (object_id, sequence);

-- Named as the mapper expects of the trigger's function, so that it can compare the two.
create function audit_log_refuse_changes_fn() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is not changed' using errcode = 'insufficient_privilege';
    end $$;
create trigger refuse_changes before update or delete or truncate on audit_log
  for each statement execute function audit_log_refuse_changes_fn();

create table audit_head (
  sequence bigint not null,
  hash text not null,
  primary key (sequence)
);

insert into audit_head (sequence, hash) values (0, repeat('0', 64));
`;
