import type { NewScore, Score } from '../../../core/scores/score.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import { BatchedStatement } from '../database/batched-statement.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { CHANGEABLE_OF_SCORE, SCORE_KEY, SCORE_NAMES, type ScoreRow, toRow, toScore } from './score-row.ts';

const GIVEN = `${SCORE_KEY.map((name) => `${name} uuid`).join(', ')}, scorer_id uuid, metric_name text, status_type text, value text,
  explanation text, message text, scored_at timestamptz, effort jsonb, judged text, replaces text, request integer`;

interface Level {
  readonly table: 'scores' | 'session_scores' | 'shadow_scores';
  /** Holds for a `score` whose record is there. */
  readonly exists: string;
  /** SQL of the rows put on the list of the record index. */
  readonly noted: string;
  /** SQL of how often the version had scored it before a recompute took that away. */
  readonly times: string;
}

const timesBefore = (ofSession: boolean): string => `coalesce((
    select c.times_scored from score_counts c where c.project_id = score.project_id and c.record_id = score.record_id
      and c.run_id = score.run_id and c.scorer_version_id = score.scorer_version_id and c.of_session = ${ofSession}
  ), 0)`;

const NOTED = `, noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select project_id, run_id, array_agg(distinct record_id), 0, 0 from stored group by project_id, run_id
)`;

const RECORDS: Level = {
  table: 'scores',
  exists:
    'exists (select from records r where r.project_id = score.project_id and r.id = score.record_id and (r.run_id = score.run_id) is true)',
  noted: NOTED,
  times: timesBefore(false),
};

const SESSIONS: Level = {
  table: 'session_scores',
  exists: `(exists (select from sessions s where s.project_id = score.project_id and s.id = score.record_id and (s.run_id = score.run_id) is true)
    or exists (select from records r where r.project_id = score.project_id and r.id = score.record_id and (r.run_id = score.run_id) is true
      and r.is_trace and r.session_id = r.id))`,
  noted: NOTED,
  times: timesBefore(true),
};

/** Of records and sessions, and on no list: nothing is derived from what counts nowhere. */
const SHADOWS: Level = { table: 'shadow_scores', exists: `(${RECORDS.exists} or ${SESSIONS.exists})`, noted: '', times: '0' };

/** Of calls that came together, how many scores of each were stored. Sorted by key, so that two workers with overlapping jobs cannot lock each other out. */
const insertInto = ({ table, exists, noted, times }: Level): string => `
with given as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row(${GIVEN})
), stored as (
  insert into ${table} (${SCORE_NAMES}, times_scored)
  select ${SCORE_NAMES}, 1 + ${times} from given score where ${exists}
  order by project_id, record_id, run_id, scorer_version_id
  on conflict (${SCORE_KEY.join(', ')}) do update set ${CHANGEABLE_OF_SCORE.map((name) => `${name} = excluded.${name}`).join(', ')},
    times_scored = ${table}.times_scored + 1
  where exists (
    select from given where ${SCORE_KEY.map((name) => `given.${name} = ${table}.${name}`).join(' and ')} and given.replaces = ${table}.judged
  )
  returning ${SCORE_KEY.join(', ')}
)${noted}
select request, count(*)::int as stored from stored join given using (${SCORE_KEY.join(', ')}) group by request`;

/** Each brings some hundred scores at most, those of one call of a program. */
const CALLS_AT_ONCE = 16;

export class PostgresScoreStore implements ScoreStore {
  readonly #session: PostgresSession;
  readonly #table: string;
  readonly #insert: string;
  /** Jobs that are scored side by side share statements and their commits. */
  readonly #inserting = new BatchedStatement((calls: readonly (readonly NewScore[])[]) => this.#insertAll(calls), {
    maxAtOnce: CALLS_AT_ONCE,
    lanes: 2,
  });

  constructor({ session, of = 'records' }: { session: PostgresSession; of?: 'records' | 'sessions' | 'shadows' }) {
    const level = { records: RECORDS, sessions: SESSIONS, shadows: SHADOWS }[of];
    this.#session = session;
    this.#table = level.table;
    this.#insert = insertInto(level);
  }

  async insert(scores: readonly NewScore[]): Promise<number> {
    if (scores.length === 0) return 0;
    if (!this.#session.isInTransaction) return this.#inserting.ask(scores);
    const [stored] = await this.#insertAll([scores]);
    return stored!;
  }

  async #insertAll(calls: readonly (readonly NewScore[])[]): Promise<number[]> {
    const rows = calls.flatMap((scores, request) => scores.map((score) => ({ ...toRow(score), request })));
    const counts = await this.#session.sql<{ request: number; stored: number }>(this.#insert, [JSON.stringify(rows)]);
    const byCall = new Map(counts.map(({ request, stored }) => [request, stored]));
    return calls.map((_, request) => byCall.get(request) ?? 0);
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]> {
    const rows = await this.#session.sql<ScoreRow>(
      `select ${SCORE_NAMES}, times_scored from ${this.#table}
       where project_id = $1 and record_id = any($3::uuid[]) and run_id = $2 order by scored_at, scorer_version_id`,
      [project_id, run_id, record_ids],
    );
    return rows.map(toScore);
  }
}
