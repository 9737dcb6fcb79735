import type { ScoreValue } from '../../../core/plugin-sdk/index.ts';
import type { BelowQuery, ScoreBelow, ScoresBelow } from '../../../core/scorers/scores/roll-up.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText } from '../database/text-codec.ts';

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

/** `$4` scorers. Traces are looked up one by one: a condition on all of them looks to the planner as if it held for most rows. */
const listBelow = (level: BelowQuery['level']): string => `
select t.under_id, r.id as record_id, r.is_trace, s.scorer_id, s.value,
  s.effort ->> 'model' as model, (s.effort ->> 'cost')::double precision as cost,
  (s.effort ->> 'input_tokens')::double precision as input_tokens, (s.effort ->> 'output_tokens')::double precision as output_tokens,
  s.effort is not null as has_effort
from (${PLACES[level]}) t
cross join lateral (
  select id, is_trace, created_at, position from records
  where project_id = $1 and trace_id = t.id and (run_id = $2) is true offset 0
) r
join scores s on s.project_id = $1 and s.record_id = r.id and s.run_id = $2
where s.scorer_id = any($4::uuid[]) and s.status_type = 'success'
order by r.created_at, r.position, r.id, s.scored_at, s.scorer_version_id`;

const STATEMENTS = { trace: listBelow('trace'), session: listBelow('session') };

interface BelowRow extends Omit<ScoreBelow, 'value' | 'effort'> {
  readonly value: string;
  readonly has_effort: boolean;
  readonly model: string | null;
  readonly cost: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export class PostgresScoresBelow implements ScoresBelow {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async list({ project_id, run_id, level, ids, scorer_ids }: BelowQuery): Promise<ScoreBelow[]> {
    const rows = await this.#session.sql<BelowRow>(STATEMENTS[level], [project_id, run_id, ids, scorer_ids]);
    return rows.map(toScore);
  }
}

function toScore({ value, has_effort, model, cost, input_tokens, output_tokens, ...row }: BelowRow): ScoreBelow {
  const effort = {
    ...(model === null ? {} : { model: decodeText(model) }),
    cost,
    ...(input_tokens === null ? {} : { input_tokens }),
    ...(output_tokens === null ? {} : { output_tokens }),
  };
  return { ...row, value: decodeJson(JSON.parse(value)) as ScoreValue, effort: has_effort ? effort : null };
}
