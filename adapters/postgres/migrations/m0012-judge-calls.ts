import { Migration } from '@mikro-orm/migrations';

export class JudgeCalls extends Migration {
  override name = 'm0012-judge-calls';

  override up(): void {
    this.addSql(`create table "judge_answers" (
      "project_id" uuid not null,
      "key" text not null,
      "run_id" uuid not null,
      "completion" jsonb not null,
      "expires_at" timestamptz(6) not null,
      primary key ("project_id", "key")
    );`);
    this.addSql(`create index "judge_answers_expires_at_index" on "judge_answers" ("expires_at");`);
    this.addSql(`create table "model_spending" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "scorer_id" uuid not null,
      "scorer_version_id" uuid not null,
      "provider" text not null,
      "model" text not null,
      "day" date not null,
      "calls" bigint not null,
      "failed_calls" bigint not null,
      "unpriced_calls" bigint not null,
      "cached_answers" bigint not null,
      "input_tokens" bigint not null,
      "output_tokens" bigint not null,
      "cost" double precision not null,
      primary key ("project_id", "run_id", "scorer_id", "scorer_version_id", "provider", "model", "day")
    );`);
  }
}
