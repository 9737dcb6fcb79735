import { Migration } from '@mikro-orm/migrations';

export class Integrations extends Migration {
  override name = 'm0010-integrations';

  override up(): void {
    this.addSql(`create table "integrations" (
      "id" uuid not null,
      "name" text not null,
      "provider" text not null,
      "settings" jsonb not null,
      "key_id" text not null,
      "data_key" text not null,
      "secret_fields" jsonb not null,
      "is_disabled" boolean not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "integrations" add constraint "integrations_created_by_name_unique" unique ("created_by", "name");`);
    this.addSql(`create index "integrations_key_id_index" on "integrations" ("key_id");`);
    this.addSql(`create table "integration_selections" (
      "user_id" uuid not null,
      "provider" text not null,
      "integration_id" uuid not null,
      primary key ("user_id", "provider")
    );`);
    this.addSql(`create index "integration_selections_integration_id_index" on "integration_selections" ("integration_id");`);
  }
}
