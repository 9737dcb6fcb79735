import { Migration } from '@mikro-orm/migrations';

/** Masking rules of projects, and counts of what they masked. */
export class Masking extends Migration {
  override name = 'm0011-masking';

  override up(): void {
    this.addSql(`
create table if not exists masking_rules (
  project_id uuid not null,
  rules jsonb not null,
  primary key (project_id)
);
create table if not exists masking_counts (
  project_id uuid not null,
  day date not null,
  rule text not null,
  masked bigint not null,
  primary key (project_id, day, rule)
)`);
  }
}
