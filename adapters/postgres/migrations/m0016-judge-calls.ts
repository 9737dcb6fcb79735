import { Migration } from '@mikro-orm/migrations';

/** The calls of models that scores were made of. */
export class JudgeCalls extends Migration {
  override name = 'm0016-judge-calls';

  override up(): void {
    this.addSql(`
create table if not exists judge_calls (
  project_id uuid not null,
  run_id uuid not null,
  record_id uuid not null,
  scorer_version_id uuid not null,
  level text not null,
  judged text,
  calls text not null,
  kept_at timestamptz(6) not null,
  primary key (project_id, record_id, run_id, scorer_version_id, level)
);
create index if not exists judge_calls_kept_index on judge_calls (kept_at)`);
  }
}
