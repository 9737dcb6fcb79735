import { mapInSlices } from '../../../core/kernel/slices.ts';
import type { ScoreValue } from '../../../core/plugin-sdk/index.ts';
import type { BelowQuery, ScoresBelow, ScoresOfScorer, Spent } from '../../../core/scores/roll-up.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, readJson } from '../database/text-codec.ts';

/** `$1` project, `$2` run, `$3` ids: traces with what they are under. */
const PLACES: Readonly<Record<BelowQuery['level'], string>> = {
  trace: 'select id, id as under_id from unnest($3::uuid[]) as wanted(id)',
  session: `
    select id, session_id as under_id from records
    where project_id = $1 and run_id = $2 and session_id = any($3::uuid[]) and is_trace and session_id <> id
    union all
    select id, session_id from records
    where project_id = $1 and id = any($3::uuid[]) and (run_id = $2) is true and is_trace and session_id = id`,
};

/**
 * `$4` scorers. Traces are looked up one by one: a condition on all of them looks to the planner as if it held for most rows. So are
 * the scores of each record: planned as one join before the statistics know of many new scores, all scores of the run are held against
 * each record.
 * Values are handed out as one text by each scorer: a row by each would cost the process that reads them ten times as much.
 */
const listBelow = (level: BelowQuery['level']): string => `
select under_id, scorer_id, is_trace,
  '[' || string_agg(value, ',' order by created_at, position, id) || ']' as values,
  '[' || string_agg(spent, ',' order by created_at, position, id) || ']' as spent
from (
  select distinct on (t.under_id, s.scorer_id, r.id)
    t.under_id, s.scorer_id, r.is_trace, r.created_at, r.position, r.id, s.value,
    case when s.effort - 'printed' <> '{}' then
      jsonb_build_array(s.effort -> 'model', s.effort -> 'cost', s.effort -> 'input_tokens', s.effort -> 'output_tokens')::text
    end as spent
  from (${PLACES[level]}) t
  cross join lateral (
    select id, is_trace, created_at, position from records
    where project_id = $1 and trace_id = t.id and (run_id = $2) is true offset 0
  ) r
  cross join lateral (
    select scorer_id, scorer_version_id, value, effort, scored_at from scores
    where project_id = $1 and record_id = r.id and (run_id = $2) is true
      and scorer_id = any($4::uuid[]) and status_type = 'success' offset 0
  ) s
  order by t.under_id, s.scorer_id, r.id, s.scored_at desc, s.scorer_version_id desc
) newest
group by under_id, scorer_id, is_trace`;

const STATEMENTS = { trace: listBelow('trace'), session: listBelow('session') };

/** Results of scorers that are read without a turn for others: of a large trace each has thousands of values. */
const SLICE = 20;

interface BelowRow extends Omit<ScoresOfScorer, 'values' | 'spent'> {
  /** JSON of values as they are stored. */
  readonly values: string;
  /** JSON of lists of model, cost, tokens in and out. */
  readonly spent: string | null;
}

export class PostgresScoresBelow implements ScoresBelow {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async list({ project_id, run_id, level, ids, scorer_ids }: BelowQuery): Promise<ScoresOfScorer[]> {
    const rows = await this.#session.sql<BelowRow>(STATEMENTS[level], [project_id, run_id, ids, scorer_ids]);
    return mapInSlices(rows, SLICE, ({ values, spent, ...row }) => ({
      ...row,
      values: readJson(values) as ScoreValue[],
      spent: (JSON.parse(spent ?? '[]') as unknown[][]).map(getSpent),
    }));
  }
}

function getSpent([model, cost, input_tokens, output_tokens]: readonly unknown[]): Spent {
  return {
    ...(typeof model === 'string' ? { model: decodeText(model) } : {}),
    cost: typeof cost === 'number' ? cost : null,
    ...(typeof input_tokens === 'number' ? { input_tokens } : {}),
    ...(typeof output_tokens === 'number' ? { output_tokens } : {}),
  };
}
