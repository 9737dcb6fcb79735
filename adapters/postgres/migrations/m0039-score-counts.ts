import { Migration } from '@mikro-orm/migrations';

/** How often records were scored by results that a recompute took away. */
export class ScoreCounts extends Migration {
  override name = 'm0039-score-counts';

  override up(): void {
    this.addSql(`
create table if not exists score_counts (
  project_id uuid not null,
  record_id uuid not null,
  run_id uuid not null,
  scorer_version_id uuid not null,
  of_session boolean not null,
  times_scored int not null,
  primary key (project_id, record_id, run_id, scorer_version_id, of_session)
)`);
  }
}
