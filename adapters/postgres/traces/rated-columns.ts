import { sql } from 'kysely';
import type { RunWindow } from '../../../core/traces/columns/column-store.ts';
import { MAX_OWN_COLUMNS } from '../../../core/traces/columns/observed-columns.ts';
import { allOf, type Condition } from '../database/sql.ts';

/** Where ratings are kept, by what they are told apart by in a run, and the type of those. */
export const RATING_PLACES = [
  { table: 'feedback', keys: ['name', 'feedback_type'], prefix: 'feedback/', type: sql`known.feedback_type`, join: sql`` },
  {
    table: 'annotations',
    keys: ['template_id'],
    prefix: 'annotations/',
    type: sql`t.annotation_type`,
    join: sql`join annotation_templates t on t.project_id = known.project_id and t.id = known.template_id`,
  },
] as const;

/**
 * SQL of the columns of ratings in a run: loose index scan, one look into the index for each of them, and for each a search for
 * the first rating of a record, or of a session, that is in the window.
 */
export function ratedSql({ table, keys, prefix, type, join }: (typeof RATING_PLACES)[number], window: RunWindow, of: Rated) {
  const { project_id, run_id } = window;
  const names = sql.join(keys.map((key) => sql.ref(key)));
  const known = sql.join(keys.map((key) => sql.ref(`known.${key}`)));
  const ofRun = sql`project_id = ${project_id}::uuid and run_id = ${run_id}::uuid`;
  const [first] = keys;
  return sql`(
    with recursive known as (
      (select project_id, ${names} from ${sql.table(table)} where ${ofRun} order by ${names} limit 1)
      union all
      select next.* from known cross join lateral (
        select project_id, ${names} from ${sql.table(table)} where ${ofRun} and (${names}) > (${known}) order by ${names} limit 1
      ) as next
    ), few as (select * from known limit ${sql.lit(MAX_OWN_COLUMNS)})
    select ${sql.lit(prefix)} || ${sql.ref(`known.${first}`)} as column_id, ${type} as rating_type,
      ${hasRatedSql(table, keys, window, of)} as is_filled
    from few as known ${join} where ${hasRatedSql(table, keys, ALWAYS(window), of)}
  )`;
}

type Rated = 'records' | 'sessions';
const ALWAYS = (window: RunWindow): RunWindow => ({ ...window, start_time: undefined, end_time: undefined });

function hasRatedSql(table: string, keys: readonly string[], { project_id, run_id, start_time, end_time }: RunWindow, of: Rated) {
  const isKnown = allOf(keys.map((key) => sql<boolean>`${sql.ref(`f.${key}`)} = ${sql.ref(`known.${key}`)}`));
  const isIn = (alias: string): Condition => {
    const created_at = sql.ref(`${alias}.created_at`);
    return allOf([
      sql<boolean>`${sql.ref(`${alias}.project_id`)} = f.project_id and ${sql.ref(`${alias}.id`)} = f.record_id
        and (${sql.ref(`${alias}.run_id`)} = f.run_id) is true`,
      ...(start_time === undefined ? [] : [sql<boolean>`${created_at} >= ${start_time}::timestamptz`]),
      ...(end_time === undefined ? [] : [sql<boolean>`${created_at} <= ${end_time}::timestamptz`]),
    ]);
  };
  const record = sql`exists (select from records r where ${isIn('r')} ${of === 'sessions' ? sql`and r.is_trace and r.session_id = r.id` : sql``})`;
  const isThere = of === 'records' ? record : sql`(${record} or exists (select from sessions s where ${isIn('s')}))`;
  return sql<boolean>`exists (select from ${sql.table(table)} f
    where f.project_id = ${project_id}::uuid and f.run_id = ${run_id}::uuid and ${isKnown} and ${isThere})`;
}
