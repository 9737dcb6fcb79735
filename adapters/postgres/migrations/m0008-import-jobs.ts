import { Migration } from '@mikro-orm/migrations';

export class ImportJobs extends Migration {
  override name = 'm0008-import-jobs';

  override up(): void {
    this.addSql(`create table "import_jobs" (
      "id" uuid not null,
      "updated_at" timestamptz(6) not null,
      "job" jsonb not null,
      primary key ("id")
    );`);
    this.addSql(`create index "import_jobs_updated_at_index" on "import_jobs" ("updated_at");`);
  }
}
