import { Migration } from '@mikro-orm/migrations';

/** Notes of content of files that no transaction takes back, from before it is put until the facts of its file are stored. */
export class FilePuts extends Migration {
  override name = 'm0037-file-puts';

  override up(): void {
    this.addSql(`
create table if not exists file_puts (
  project_id uuid not null,
  file_id uuid not null,
  noted_at timestamptz(6) not null,
  primary key (project_id, file_id)
);
create index if not exists file_puts_noted_at_index on file_puts (noted_at)`);
  }
}
