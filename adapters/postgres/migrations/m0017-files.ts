import { Migration } from '@mikro-orm/migrations';

/**
 * Files of records, in place of those that were uploaded to projects and that nobody could read back. These keep their ids; what their
 * content is, is looked at when it is read.
 */
export class Files extends Migration {
  override name = 'm0017-files';

  override up(): void {
    this.addSql(`
create table if not exists files (
  project_id uuid not null,
  id uuid not null,
  filename text,
  content_type text not null,
  modality text not null,
  size_bytes int not null,
  status text not null,
  upload_metadata text,
  created_by uuid,
  created_at timestamptz(6) not null,
  primary key (project_id, id)
);
create table if not exists file_contents (
  project_id uuid not null,
  file_id uuid not null,
  content bytea not null,
  primary key (project_id, file_id)
);
alter table file_contents alter column content set storage external;
create table if not exists record_files (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  file_id uuid not null,
  primary key (project_id, record_id, run_id, file_id)
);
create index if not exists record_files_file_index on record_files (project_id, file_id);
create table if not exists left_files (
  project_id uuid not null,
  file_id uuid not null,
  primary key (project_id, file_id)
);
create table if not exists file_totals (
  project_id uuid not null,
  size_bytes bigint not null,
  primary key (project_id)
);
insert into files (project_id, id, filename, content_type, modality, size_bytes, status, upload_metadata, created_by, created_at)
select project_id, id, filename, content_type, case
    when split_part(content_type, '/', 1) in ('image', 'audio', 'video', 'text') then split_part(content_type, '/', 1) else 'document'
  end, size_bytes, 'complete', upload_metadata, created_by, created_at from project_files;
insert into file_contents (project_id, file_id, content) select project_id, id, content from project_files;
insert into file_totals (project_id, size_bytes) select project_id, sum(size_bytes) from files group by project_id;
drop table project_files`);
  }
}
