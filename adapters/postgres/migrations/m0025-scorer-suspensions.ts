import { Migration } from '@mikro-orm/migrations';

export class ScorerSuspensions extends Migration {
  override name = 'm0025-scorer-suspensions';

  override up(): void {
    this.addSql(`create table "scorer_suspensions" (
      "project_id" uuid not null,
      "scorer_version_id" uuid not null,
      "scorer_id" uuid not null,
      "reason" text not null,
      "message" text not null,
      "suspended_at" timestamptz(6) not null,
      primary key ("project_id", "scorer_version_id")
    );`);
    this.addSql(`create index "scorer_suspensions_scorer_index" on "scorer_suspensions" ("scorer_id");`);
  }
}
