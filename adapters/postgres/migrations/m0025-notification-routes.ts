import { Migration } from '@mikro-orm/migrations';

/** Routes of projects: where alerts go by their severity. */
export class NotificationRoutes extends Migration {
  override name = 'm0025-notification-routes';

  override up(): void {
    this.addSql(`
create table if not exists notification_routes (
  project_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  settings jsonb not null,
  key_id text not null,
  data_key text not null,
  secret_fields jsonb not null,
  primary key (project_id, id)
);
create index if not exists notification_routes_id_index on notification_routes (id);
create index if not exists notification_routes_key_id_index on notification_routes (key_id)`);
  }
}
