import { Migration } from '@mikro-orm/migrations';

/** Labels of prompt templates with their history, and what is said of a version. */
export class TemplateLabels extends Migration {
  override name = 'm0009-template-labels';

  override up(): void {
    this.addSql('alter table template_versions add column if not exists commit_message text null');
    this.addSql(`create table if not exists template_labels (
  template_id uuid not null,
  label text not null,
  version int not null,
  primary key (template_id, label)
)`);
    this.addSql(`create table if not exists template_label_moves (
  template_id uuid not null,
  number int not null,
  label text not null,
  from_version int null,
  to_version int null,
  moved_by uuid not null,
  moved_at timestamptz(6) not null,
  primary key (template_id, number)
)`);
  }
}
