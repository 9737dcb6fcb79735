import { Migration } from '@mikro-orm/migrations';

export class ShadowScoring extends Migration {
  override name = 'm0013-shadow-scoring';

  override up(): void {
    this.addSql(`create table "shadow_trials" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "scorer_id" uuid not null,
      "scorer_version_id" uuid not null,
      "sample_rate" double precision not null,
      "started_by" uuid null,
      "started_at" timestamptz(6) not null,
      primary key ("project_id", "run_id", "scorer_id")
    );`);
    this.addSql(`create table "shadow_scores" (
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
      "effort" jsonb null,
      "judged" text null,
      "times_scored" int not null,
      primary key ("project_id", "record_id", "run_id", "scorer_version_id")
    );`);
    this.addSql(`create index "shadow_scores_trial_index" on "shadow_scores"
      ("project_id", "run_id", "scorer_version_id", "record_id");`);
  }
}
