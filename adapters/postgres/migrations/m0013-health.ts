import { Migration } from '@mikro-orm/migrations';

export class Health extends Migration {
  override name = 'm0013-health';

  override up(): void {
    this.addSql(`create table "run_origins" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "dataset_id" uuid null,
      "dataset_version_index" int null,
      "scorer_id" uuid null,
      "scorer_version_id" uuid null,
      "source_run_id" uuid null,
      primary key ("project_id", "run_id")
    );`);
    this.addSql(`create table "health_scores" (
      "id" uuid not null,
      "scorer_id" uuid not null,
      "scorer_version_id" uuid not null,
      "scorer_version_number" int not null,
      "dataset_id" uuid not null,
      "dataset_version_index" int null,
      "health_score_type" text not null,
      "with_overlay" boolean not null,
      "score" double precision not null,
      "secondary" jsonb not null,
      "run_id" uuid not null,
      "computed_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "health_scores" add constraint "health_scores_version_dataset_type_unique"
      unique ("scorer_version_id", "dataset_id", "health_score_type", "with_overlay");`);
    this.addSql(
      `create index "health_scores_scorer_index" on "health_scores" ("scorer_id", "dataset_id", "scorer_version_number");`,
    );
    this.addSql(`create table "scorer_gates" (
      "scorer_id" uuid not null,
      "dataset_id" uuid not null,
      "health_score_type" text null,
      "margin" double precision not null,
      "updated_by" uuid null,
      "updated_at" timestamptz(6) not null,
      primary key ("scorer_id")
    );`);
    this.addSql(`create table "truth_columns" (
      "dataset_id" uuid not null,
      "scorer_id" uuid not null,
      "column_key" int not null,
      primary key ("dataset_id", "scorer_id")
    );`);
  }
}
