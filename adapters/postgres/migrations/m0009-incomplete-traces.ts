import { Migration } from '@mikro-orm/migrations';

export class IncompleteTraces extends Migration {
  override name = 'm0009-incomplete-traces';

  override up(): void {
    this.addSql(`create index "records_incomplete_index" on "records" ("project_id", "updated_at")
      where is_trace and not is_complete;`);
  }
}
