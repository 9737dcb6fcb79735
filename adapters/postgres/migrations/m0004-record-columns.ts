import { Migration } from '@mikro-orm/migrations';

export class RecordColumns extends Migration {
  override name = 'm0004-record-columns';

  override up(): void {
    this.addSql(`create table "record_columns" (
      "project_id" uuid not null,
      "run_id" uuid not null,
      "column_id" text not null,
      "type" text not null,
      "data_type" text not null,
      primary key ("project_id", "run_id", "column_id", "type", "data_type")
    );`);
    this.addSql(`create index "scores_metric_index" on "scores" ("project_id", "run_id", "metric_name");`);
  }
}
