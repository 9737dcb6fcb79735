import { Migration } from '@mikro-orm/migrations';

export class EndedSessions extends Migration {
  override name = 'm0024-ended-sessions';

  override up(): void {
    this.addSql(
      `create table "ended_sessions" ("session_id" uuid not null, "expires_at" timestamptz not null, primary key ("session_id"));`,
    );
  }
}
