/**
 * Common table expressions: `there` has a row when the record or the session `$2` of the run `$3` of the project `$1` is there; locked,
 * so that a removal under way takes along what is stored about it.
 */
export const LOCKED_RECORD = `
record as (select from records r where r.project_id = $1 and r.id = $2 and (r.run_id = $3) is true for share),
session as (select from sessions s where s.project_id = $1 and s.id = $2 and (s.run_id = $3) is true for share),
there as (select from record union all select from session limit 1)`;
