import { Migration } from '@mikro-orm/migrations';

export class RetentionRules extends Migration {
  override name = 'm0005-retention';

  override up(): void {
    this.addSql(`create table "retention_rules" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "days" int not null,
      primary key ("project_id", "run_id")
    );`);
  }
}
