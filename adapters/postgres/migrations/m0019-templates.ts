import { Migration } from '@mikro-orm/migrations';

export class Templates extends Migration {
  override name = 'm0019-templates';

  override up(): void {
    this.addSql(`create table "templates" (
      "id" uuid not null,
      "name" text not null,
      "hidden" boolean not null,
      "selected_version" int not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "templates" add constraint "templates_name_unique" unique ("name");`);
    this.addSql(`create table "template_versions" (
      "template_id" uuid not null,
      "version" int not null,
      "id" uuid not null,
      "template" jsonb not null,
      "raw" boolean not null,
      "settings" jsonb not null,
      "output_type" text null,
      "model_changed" boolean not null,
      "settings_changed" boolean not null,
      "content_changed" boolean not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      primary key ("template_id", "version")
    );`);
    this.addSql(`alter table "template_versions" add constraint "template_versions_id_unique" unique ("id");`);
    this.addSql(`create table "template_projects" (
      "template_id" uuid not null,
      "project_id" uuid not null,
      primary key ("template_id", "project_id")
    );`);
    this.addSql(`create index "template_projects_project_index" on "template_projects" ("project_id");`);
  }
}
