/**
 * Common table expression: puts the records of the rows of `changed`, which have `project_id`, `run_id` and `record_id`, on the list of
 * the record index. What is derived from records is derived anew once somebody said something of them.
 */
export const NOTED = `noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select project_id, run_id, array_agg(distinct record_id), 0, 0 from changed group by project_id, run_id
)`;
