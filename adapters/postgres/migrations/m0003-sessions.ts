import { Migration } from '@mikro-orm/migrations';

/** Records logged before sessions were kept name theirs as well. */
const sessionsOfRecords = `insert into "sessions" ("project_id", "id", "run_id", "is_derived", "created_at", "updated_at")
    select "project_id", "session_id", "run_id", true, min("created_at"), now() from "records"
    where "is_trace" and "session_id" <> "id"
    group by "project_id", "session_id", "run_id";`;

export class Sessions extends Migration {
  override name = 'm0003-sessions';

  override up(): void {
    this.addSql(`create table "sessions" (
      "project_id" uuid not null,
      "id" uuid not null,
      "run_id" uuid not null,
      "name" text null,
      "external_id" text null,
      "previous_session_id" uuid null,
      "user_metadata" jsonb null,
      "is_derived" boolean not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("project_id", "id", "run_id")
    );`);
    this.addSql(`create index "sessions_newest_index" on "sessions" ("project_id", "run_id", "created_at", "id");`);
    this.addSql(`create unique index "sessions_external_id_unique" on "sessions" ("project_id", "run_id", "external_id")
      where external_id is not null;`);
    this.addSql(`create index "records_session_index" on "records" ("project_id", "run_id", "session_id", "created_at", "id")
      where is_trace and session_id <> id;`);
    this.addSql(`create index "records_own_session_index" on "records" ("project_id", "run_id", "created_at", "id")
      where is_trace and session_id = id;`);
    this.addSql(sessionsOfRecords);
  }
}
