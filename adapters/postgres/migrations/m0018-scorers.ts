import { Migration } from '@mikro-orm/migrations';

export class Scorers extends Migration {
  override name = 'm0018-scorers';

  override up(): void {
    this.addSql(`alter table "scorers"
      add column "label" text null,
      add column "multimodal_capabilities" jsonb null,
      add column "roll_up_method" text null,
      add column "deprecated" boolean null;`);
    this.addSql(`update "scorers" set "label" = "name", "deprecated" = false;`);
    this.addSql(`alter table "scorers" alter column "label" set not null, alter column "deprecated" set not null;`);
    this.addSql(`create table "scorer_validations" (
      "id" uuid not null,
      "kind" text not null,
      "definition" jsonb not null,
      "definition_hash" text not null,
      "plan" jsonb not null,
      "project_id" uuid null,
      "run_id" uuid null,
      "evidence" jsonb null,
      "scorer_version_id" uuid null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`create index "scorer_validations_version_index" on "scorer_validations" ("scorer_version_id");`);
    this.addSql(`create index "scorer_validations_created_at_index" on "scorer_validations" ("created_at");`);
  }
}
