import { Migration } from '@mikro-orm/migrations';

/** A run has one tag of each key, the newest of those there were; a project knows whether its type was chosen. */
export class ClientAmendments extends Migration {
  override name = 'm0028-client-amendments';

  override up(): void {
    this.addSql(`delete from "run_tags" older using "run_tags" newer
      where older.project_id = newer.project_id and older.run_id = newer.run_id and older.key = newer.key
        and (older.updated_at, older.id) < (newer.updated_at, newer.id);`);
    this.addSql(`alter table "run_tags" add constraint "run_tags_key_unique" unique ("project_id", "run_id", "key");`);
    this.addSql(`alter table "projects" add column "type_is_default" boolean not null default false;`);
    this.addSql(`alter table "projects" alter column "type_is_default" drop default;`);
  }
}
