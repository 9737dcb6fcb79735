import { Migration } from '@mikro-orm/migrations';

/** Names and ids by which identity providers know users and groups. */
export class ProvisionedResources extends Migration {
  override name = 'm0046-provisioned-resources';

  override up(): void {
    this.addSql(`
create table if not exists provisioned_resources (
  kind text not null,
  id uuid not null,
  external_id text,
  user_name text,
  user_name_key text,
  display_name text,
  primary key (kind, id)
);
create unique index if not exists provisioned_resources_user_name_unique on provisioned_resources (user_name_key);
create index if not exists provisioned_resources_external_id_index on provisioned_resources (kind, external_id)`);
  }
}
