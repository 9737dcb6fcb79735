import { Migration } from '@mikro-orm/migrations';

export class Trends extends Migration {
  override name = 'm0015-trends';

  override up(): void {
    this.addSql(`create table "trend_dashboards" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "dashboard" jsonb not null,
      primary key ("project_id", "run_id")
    );`);
  }
}
