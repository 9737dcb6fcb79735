import { Migration } from '@mikro-orm/migrations';

export class RatingsSchema extends Migration {
  override name = 'm0021-ratings';

  override up(): void {
    this.addSql(`create table "feedback" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "name" text not null,
      "feedback_type" text not null,
      "value" jsonb not null,
      "explanation" text null,
      "rated_at" timestamptz(6) not null,
      primary key ("project_id", "record_id", "run_id", "name")
    );`);
    this.addSql(`create table "annotations" (
      "project_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "template_id" uuid not null,
      "annotator_id" uuid not null,
      "value" jsonb not null,
      "explanation" text null,
      "rated_at" timestamptz(6) not null,
      primary key ("project_id", "record_id", "run_id", "template_id", "annotator_id")
    );`);
    this.addSql(`create index "annotations_template_index" on "annotations" ("project_id", "template_id");`);
    this.addSql(`create table "annotation_templates" (
      "project_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "annotation_type" text not null,
      "instructions" text not null,
      "choices" jsonb not null,
      "min" int not null,
      "max" int not null,
      "created_by" uuid null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(
      `alter table "annotation_templates" add constraint "annotation_templates_name_unique" unique ("project_id", "name");`,
    );
    this.addSql(`create table "annotation_queues" (
      "project_id" uuid not null,
      "id" uuid not null,
      "run_id" uuid not null,
      "name" text not null,
      "template_ids" jsonb not null,
      "created_by" uuid null,
      "created_at" timestamptz(6) not null,
      primary key ("project_id", "id")
    );`);
    this.addSql(`create table "annotation_items" (
      "project_id" uuid not null,
      "queue_id" uuid not null,
      "record_id" uuid not null,
      "run_id" uuid not null,
      "position" int not null,
      "status" text not null,
      "claimed_by" uuid null,
      "claimed_until" timestamptz(6) null,
      "ended_by" uuid null,
      "ended_at" timestamptz(6) null,
      primary key ("project_id", "queue_id", "record_id")
    );`);
    this.addSql(
      `create index "annotation_items_next_index" on "annotation_items" ("project_id", "queue_id", "status", "position");`,
    );
  }
}
