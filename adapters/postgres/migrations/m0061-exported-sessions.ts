import { Migration } from '@mikro-orm/migrations';

/**
 * Exports with the scores of sessions, ratings, and days whose files are put together. Exports of scores look at all records and sessions again: those of
 * sessions were on no list so far.
 */
export class ExportedSessions extends Migration {
  override name = 'm0061-exported-sessions';

  override up(): void {
    this.addSql(
      'alter table exported_records add column if not exists session_scores jsonb, add column if not exists ratings jsonb',
    );
    this.addSql(`create table if not exists exported_days (
  project_id uuid not null,
  day date not null,
  due_at timestamptz(6) not null,
  remove_at timestamptz(6),
  primary key (project_id, day)
)`);
    this.addSql(`update data_exports set walk = jsonb_build_object('of', 'records',
    'record_id', '00000000-0000-0000-0000-000000000000', 'run_id', '00000000-0000-0000-0000-000000000000')
  where is_enabled and content @> '["scores"]' and (walk is null or walk ->> 'of' = 'records')`);
  }
}
