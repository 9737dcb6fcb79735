import { Migration } from '@mikro-orm/migrations';

/**
 * Ratings as columns: the rule by which answers make one value, indexes that tell which ratings a run has, and the ratings that
 * are there already on the list of the record index, so that they are drawn as those to come.
 */
export class RatingColumns extends Migration {
  override name = 'm0007-rating-columns';

  override up(): void {
    this.addSql(`
alter table annotation_templates add column if not exists truth_rule text;
create index if not exists feedback_name_index on feedback (project_id, run_id, name, feedback_type);
create index if not exists annotations_run_index on annotations (project_id, run_id, template_id);
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select project_id, run_id, array_agg(record_id), 0, 0 from (
  select project_id, run_id, record_id, (row_number() over (partition by project_id, run_id order by record_id) - 1) / 1000 as part
  from (
    select project_id, run_id, record_id from feedback union select project_id, run_id, record_id from annotations
  ) as rated
) as parted group by project_id, run_id, part`);
  }
}
