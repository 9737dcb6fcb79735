import { Migration } from '@mikro-orm/migrations';

export class Datasets extends Migration {
  override name = 'm0007-datasets';

  override up(): void {
    this.addSql(`create table "datasets" (
      "id" uuid not null,
      "name" text not null,
      "draft" boolean not null,
      "hidden" boolean not null,
      "created_by" uuid not null,
      "created_at" timestamptz(6) not null,
      "updated_at" timestamptz(6) not null,
      primary key ("id")
    );`);
    this.addSql(`alter table "datasets" add constraint "datasets_name_unique" unique ("name");`);
    this.addSql(`create table "dataset_versions" (
      "dataset_id" uuid not null,
      "version_index" int not null,
      "id" uuid not null,
      "name" text null,
      "created_at" timestamptz(6) not null,
      "created_by" uuid not null,
      "num_rows" int not null,
      "columns" jsonb not null,
      "rows_added" int not null,
      "rows_removed" int not null,
      "rows_edited" int not null,
      "columns_added" int not null,
      "columns_removed" int not null,
      "columns_renamed" int not null,
      primary key ("dataset_id", "version_index")
    );`);
    this.addSql(`create index "dataset_versions_editor_index" on "dataset_versions" ("created_by", "dataset_id", "created_at");`);
    this.addSql(`create table "dataset_manifests" (
      "dataset_id" uuid not null,
      "version_index" int not null,
      "block_ids" int[] not null,
      "block_sizes" int[] not null,
      "block_firsts" int[] not null,
      "next_revision" int not null,
      "next_block" int not null,
      "next_column" int not null,
      "last_position" int not null,
      "first_position" int not null,
      primary key ("dataset_id", "version_index")
    );`);
    this.addSql(`create table "dataset_blocks" (
      "dataset_id" uuid not null,
      "block_id" int not null,
      "revisions" int[] not null,
      "positions" int[] not null,
      primary key ("dataset_id", "block_id")
    );`);
    this.addSql(`create table "dataset_rows" (
      "dataset_id" uuid not null,
      "revision" int not null,
      "row_id" uuid not null,
      "position" int not null,
      "cells" jsonb not null,
      "created_in_version" int not null,
      "created_at" timestamptz(6) not null,
      "created_by" uuid not null,
      "updated_in_version" int not null,
      "updated_at" timestamptz(6) not null,
      "updated_by" uuid not null,
      primary key ("dataset_id", "revision")
    );`);
    this.addSql(`create index "dataset_rows_row_id_index" on "dataset_rows" ("dataset_id", "row_id");`);
    this.addSql(`create table "dataset_projects" (
      "dataset_id" uuid not null,
      "project_id" uuid not null,
      "last_used_at" timestamptz(6) not null,
      primary key ("dataset_id", "project_id")
    );`);
    this.addSql(`create index "dataset_projects_project_index" on "dataset_projects" ("project_id");`);
  }
}
