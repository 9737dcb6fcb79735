import { Migration } from '@mikro-orm/migrations';

/** What is stored already was judged once, in a state that nobody knows. */
const scoreColumns = `alter table "scores"
      add column "effort" jsonb null,
      add column "judged" text null,
      add column "times_scored" int not null default 1;`;

export class ScoreStates extends Migration {
  override name = 'm0011-score-states';

  override up(): void {
    this.addSql(scoreColumns);
    this.addSql(`alter table "scores" alter column "times_scored" drop default;`);
    this.addSql(`create table "session_scores" (
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
    this.addSql(`create table "changed_sessions" (
      "project_id" uuid not null,
      "session_id" uuid not null,
      "run_id" uuid not null,
      "changed_at" timestamptz(6) not null,
      primary key ("project_id", "session_id", "run_id")
    );`);
    this.addSql(`create index "changed_sessions_time_index" on "changed_sessions" ("project_id", "changed_at");`);
  }
}
