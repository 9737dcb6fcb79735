import { Migration } from '@mikro-orm/migrations';

/** Not every build of PostgreSQL carries lz4; without it the default compression serves. */
const compressPayloads = `do $$ begin
      alter table "records"
        alter column "input" set compression lz4,
        alter column "output" set compression lz4,
        alter column "redacted_input" set compression lz4,
        alter column "redacted_output" set compression lz4;
    exception when feature_not_supported then null;
    end $$;`;

/** Records on their way into the table. */
const incomingRecord = `create type "incoming_record" as (
      "project_id" uuid,
      "id" uuid,
      "run_id" uuid,
      "trace_id" uuid,
      "parent_id" uuid,
      "session_id" uuid,
      "type" text,
      "is_trace" boolean,
      "name" text,
      "created_at" timestamptz,
      "position" integer,
      "input" text,
      "output" text,
      "redacted_input" text,
      "redacted_output" text,
      "payload_kinds" smallint,
      "status_code" integer,
      "duration_ns" bigint,
      "step_number" integer,
      "tags" text[],
      "external_id" text,
      "is_complete" boolean,
      "has_children" boolean,
      "dataset_input" text,
      "dataset_output" text,
      "user_metadata" jsonb,
      "dataset_metadata" jsonb,
      "metrics" jsonb,
      "attributes" jsonb
    );`;

export class FirstSchema extends Migration {
  override name = 'm0001-first-schema';

  override up(): void {
    this.addSql(`create table "api_keys" (
      "id" uuid not null,
      "user_id" uuid not null,
      "key_hash" text not null,
      "description" text not null,
      "truncated" text not null,
      "expires_at" timestamptz(6) null,
      "last_used_at" timestamptz(6) null,
      "created_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`create index "api_keys_user_id_index" on "api_keys" ("user_id");`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_key_hash_unique" unique ("key_hash");`);
    this.addSql(`create table "project_files" (
      "project_id" uuid not null,
      "id" uuid not null,
      "filename" text not null,
      "content_type" text not null,
      "size_bytes" int not null,
      "upload_metadata" text not null,
      "content" bytea not null,
      "created_by" uuid null,
      "created_at" timestamptz(6) not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(`create table "projects" (
      "id" uuid not null,
      "name" text not null,
      "type" text not null,
      "created_by" uuid null,
      "description" text null,
      "labels" jsonb not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "projects" add constraint "projects_type_name_unique" unique ("type", "name");`);
    this.addSql(`create table "records" (
      "project_id" uuid not null,
      "id" uuid not null,
      "run_id" uuid not null,
      "trace_id" uuid not null,
      "parent_id" uuid null,
      "session_id" uuid not null,
      "type" text not null,
      "is_trace" boolean not null,
      "name" text not null,
      "created_at" timestamptz(6) not null,
      "position" int not null,
      "updated_at" timestamptz(6) not null,
      "input" text not null,
      "output" text null,
      "redacted_input" text null,
      "redacted_output" text null,
      "payload_kinds" smallint not null,
      "status_code" int null,
      "duration_ns" bigint null,
      "step_number" int null,
      "tags" text[] null,
      "external_id" text null,
      "is_complete" boolean not null,
      "has_children" boolean not null,
      "dataset_input" text null,
      "dataset_output" text null,
      "user_metadata" jsonb null,
      "dataset_metadata" jsonb null,
      "metrics" jsonb null,
      "attributes" jsonb null,
      primary key ("project_id", "id", "run_id")
    );`);
    this.addSql(`create index "records_newest_index" on "records" ("project_id", "run_id", "is_trace", "created_at", "id");`);
    this.addSql(`create index "records_trace_index" on "records" ("project_id", "trace_id");`);
    this.addSql(`create table "runs" (
      "project_id" uuid not null,
      "id" uuid not null,
      "kind" text not null,
      "name" text not null,
      "created_by" uuid null,
      "has_user_created_sessions" boolean not null,
      "metric_settings" jsonb not null,
      "settings_revision" int not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(`alter table "runs" add constraint "runs_project_id_kind_name_unique" unique ("project_id", "kind", "name");`);
    this.addSql(`create table "scores" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "scorer_version_id" uuid not null,
      "scorer_id" uuid not null,
      "metric_name" text not null,
      "status_type" text not null,
      "value" text null,
      "explanation" text null,
      "message" text null,
      "scored_at" timestamptz(6) not null,
      primary key ("project_id", "record_id", "run_id", "scorer_version_id")
    );`);
    this.addSql(`create table "scorers" (
      "id" uuid not null,
      "name" text not null,
      "scorer_type" text not null,
      "description" text not null,
      "tags" jsonb not null,
      "defaults" jsonb null,
      "model_type" text null,
      "ground_truth" boolean null,
      "default_version_id" uuid null,
      "user_prompt" text null,
      "scoreable_node_types" jsonb null,
      "output_type" text null,
      "input_type" text null,
      "required_scorers" jsonb null,
      "created_by" uuid null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "scorers" add constraint "scorers_name_scorer_type_unique" unique ("name", "scorer_type");`);
    this.addSql(`create table "scorer_versions" (
      "id" uuid not null,
      "scorer_id" uuid not null,
      "version" int not null,
      "kind" text not null,
      "definition" jsonb not null,
      "model_name" text null,
      "num_judges" int null,
      "scoreable_node_types" jsonb null,
      "cot_enabled" boolean null,
      "output_type" text null,
      "input_type" text null,
      "created_by" uuid null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(
      `alter table "scorer_versions" add constraint "scorer_versions_scorer_id_version_unique" unique ("scorer_id", "version");`,
    );
    this.addSql(`create table "users" (
      "id" uuid not null,
      "email" text not null,
      "first_name" text not null,
      "last_name" text not null,
      "role" text not null,
      "password_hash" text null,
      "token_version" int not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "users" add constraint "users_email_unique" unique ("email");`);
    this.addSql(compressPayloads);
    this.addSql(incomingRecord);
  }
}
