import { Migration } from '@mikro-orm/migrations';

export class JobsSchema extends Migration {
  override name = 'm0017-jobs';

  override up(): void {
    this.addSql(`create table "jobs" (
      "id" uuid not null,
      "job_name" text not null,
      "project_id" uuid null,
      "run_id" uuid null,
      "status" text not null,
      "retries" int not null,
      "request_data" jsonb not null,
      "state" jsonb null,
      "result" jsonb null,
      "error_message" text null,
      "progress_message" text null,
      "steps_completed" int not null,
      "steps_total" int not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      "processing_started" timestamptz(6) null,
      "completed_at" timestamptz(6) null,
      "failed_at" timestamptz(6) null,
      primary key ("id")
    );`);
    this.addSql(`create index "jobs_run_index" on "jobs" ("project_id", "run_id", "created_at");`);
  }
}
