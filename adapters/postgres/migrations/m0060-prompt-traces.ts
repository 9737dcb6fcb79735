import { Migration } from '@mikro-orm/migrations';

/** Scores of traces by the versions of prompts that were called in them. Calls that are there are put on the list of the record index. */
export class PromptTraces extends Migration {
  override name = 'm0060-prompt-traces';

  override up(): void {
    this.addSql(`
alter table prompt_calls add column if not exists trace_id uuid;
create index if not exists prompt_calls_trace_index on prompt_calls (project_id, run_id, trace_id, prompt_version_id);
create table if not exists prompt_traces (
  project_id uuid not null,
  run_id uuid not null,
  trace_id uuid not null,
  created_at timestamptz(6) not null,
  numbers text not null,
  prompt_version_ids uuid[] not null,
  primary key (project_id, run_id, trace_id)
);
create table if not exists prompt_trace_hours (
  project_id uuid not null,
  prompt_version_id uuid not null,
  hour timestamptz(6) not null,
  run_id uuid not null,
  name text not null,
  count bigint not null,
  sum double precision not null,
  primary key (project_id, prompt_version_id, hour, run_id, name)
);
create index if not exists prompt_trace_hours_run_index on prompt_trace_hours (project_id, run_id);
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select project_id, run_id, array_agg(record_id), 0, 0
from (
  select project_id, run_id, record_id,
    (row_number() over (partition by project_id, run_id order by record_id)) / 1000 as part
  from prompt_calls where trace_id is null
) as listed
group by project_id, run_id, part`);
  }
}
