import { Migration } from '@mikro-orm/migrations';

export class Experiments extends Migration {
  override name = 'm0020-experiments';

  override up(): void {
    this.addSql(`create table "experiments" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "task_type" int not null,
      "dataset_id" uuid null,
      "dataset_version_index" int null,
      "dataset_name" text null,
      "prompt" jsonb null,
      "prompt_run_settings" jsonb null,
      "playground_id" uuid null,
      "playground_prompt_id" uuid null,
      "generated" double precision null,
      primary key ("project_id", "run_id")
    );`);
    this.addSql(`create index "experiments_dataset_index" on "experiments" ("project_id", "dataset_id");`);
    this.addSql(`create table "run_tags" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "id" uuid not null,
      "key" text not null,
      "value" text not null,
      "tag_type" text not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("project_id", "run_id", "id")
    );`);
  }
}
