import { Migration } from '@mikro-orm/migrations';

export class Alerts extends Migration {
  override name = 'm0016-alerts';

  override up(): void {
    this.addSql(`create table "alerts" (
      "project_id" uuid not null,
      "id" uuid not null,
      "run_id" uuid not null,
      "created_at" timestamptz(6) not null,
      "settings" jsonb not null,
      "progress" jsonb not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(`create index "alerts_run_index" on "alerts" ("project_id", "run_id");`);
    this.addSql(`create table "webhook_secrets" (
      "id" uuid not null,
      "project_id" uuid not null,
      "run_id" uuid not null,
      "key_id" text not null,
      "data_key" text not null,
      "secret_fields" jsonb not null,
      primary key ("id")
    );`);
    this.addSql(`create index "webhook_secrets_key_id_index" on "webhook_secrets" ("key_id");`);
    this.addSql(`create table "alert_transitions" (
      "project_id" uuid not null,
      "alert_id" uuid not null,
      "id" uuid not null,
      "run_id" uuid not null,
      "at" timestamptz(6) not null,
      "transition" jsonb not null,
      primary key ("project_id", "alert_id", "id")
    );`);
    this.addSql(`create index "alert_transitions_time_index" on "alert_transitions" ("project_id", "alert_id", "at", "id");`);
    this.addSql(`create table "webhook_deliveries" (
      "project_id" uuid not null,
      "id" uuid not null,
      "alert_id" uuid not null,
      "run_id" uuid not null,
      "at" timestamptz(6) not null,
      "delivery" jsonb not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(`create index "webhook_deliveries_time_index" on "webhook_deliveries" ("project_id", "alert_id", "at", "id");`);
    this.addSql(`create table "due_work" (
      "kind" text not null,
      "project_id" uuid not null,
      "id" uuid not null,
      "due_at" timestamptz(6) not null,
      primary key ("kind", "project_id", "id")
    );`);
    this.addSql(`create index "due_work_due_index" on "due_work" ("kind", "due_at");`);
    this.addSql(`create table "insights_settings" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "enabled" boolean not null,
      "start_time" timestamptz(6) null,
      primary key ("project_id", "run_id")
    );`);
    this.addSql(`create table "insights" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "id" uuid not null,
      "key" text not null,
      "status" text not null,
      "last_seen_at" timestamptz(6) not null,
      "insight" jsonb not null,
      primary key ("project_id", "run_id", "id")
    );`);
    this.addSql(`alter table "insights" add constraint "insights_key_unique" unique ("project_id", "run_id", "key");`);
  }
}
