import { Migration } from '@mikro-orm/migrations';

/** Findings about the bias of judges. */
export class JudgeAudits extends Migration {
  override name = 'm0032-judge-audits';

  override up(): void {
    this.addSql(`
create table if not exists judge_audits (
  id uuid not null,
  scorer_id uuid not null,
  scorer_version_id uuid not null,
  scorer_version_number int not null,
  status text not null,
  message text,
  plan jsonb not null,
  report jsonb,
  created_by uuid not null,
  created_at timestamptz(6) not null,
  finished_at timestamptz(6),
  primary key (id)
);
create index if not exists judge_audits_version_index on judge_audits (scorer_id, scorer_version_id, created_at);
create unique index if not exists judge_audits_running_unique on judge_audits (scorer_version_id) where status = 'running'`);
  }
}
