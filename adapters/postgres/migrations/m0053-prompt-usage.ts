import { Migration } from '@mikro-orm/migrations';

/** Which calls were made with which version of a prompt, and their metrics by the hour. */
export class PromptUsage extends Migration {
  override name = 'm0053-prompt-usage';

  override up(): void {
    this.addSql(`
alter table indexed_records add column if not exists prompt_version_id uuid;
create table if not exists prompt_calls (
  project_id uuid not null,
  run_id uuid not null,
  prompt_version_id uuid not null,
  record_id uuid not null,
  primary key (project_id, run_id, prompt_version_id, record_id)
);
create table if not exists prompt_hours (
  project_id uuid not null,
  prompt_version_id uuid not null,
  hour timestamptz(6) not null,
  run_id uuid not null,
  name text not null,
  count bigint not null,
  sum double precision not null,
  primary key (project_id, prompt_version_id, hour, run_id, name)
);
create index if not exists prompt_hours_run_index on prompt_hours (project_id, run_id)`);
  }
}
