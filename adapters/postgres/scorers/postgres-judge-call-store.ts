import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { JudgeCallView } from '../../../core/scorers/evidence/judge-call.ts';
import type { JudgeCallStore, ScoreCalls, ScoreKey } from '../../../core/scorers/evidence/judge-call-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

/** Sorted by key, so that two workers with overlapping jobs cannot lock each other out. */
const KEEP = `
insert into judge_calls (project_id, record_id, run_id, scorer_version_id, level, judged, calls, kept_at)
select * from jsonb_to_recordset($1::jsonb) as given(project_id uuid, record_id uuid, run_id uuid, scorer_version_id uuid,
  level text, judged text, calls text, kept_at timestamptz)
where exists (select from records r where r.project_id = given.project_id and r.id = given.record_id and (r.run_id = given.run_id) is true)
  or exists (select from sessions s where s.project_id = given.project_id and s.id = given.record_id and (s.run_id = given.run_id) is true)
order by project_id, record_id, run_id, scorer_version_id, level
on conflict (project_id, record_id, run_id, scorer_version_id, level)
do update set judged = excluded.judged, calls = excluded.calls, kept_at = excluded.kept_at`;

const FIND = `
select judged, calls, kept_at from judge_calls
where project_id = $1 and record_id = $2 and run_id = $3 and scorer_version_id = $4 and level = $5`;

/** `$1` a time, `$2` how many. */
const REMOVE = `
with old as materialized (
  select project_id, record_id, run_id, scorer_version_id, level from judge_calls where kept_at < $1 order by kept_at limit $2
  for update skip locked
), gone as (
  delete from judge_calls c using old
  where (c.project_id, c.record_id, c.run_id, c.scorer_version_id, c.level)
    = (old.project_id, old.record_id, old.run_id, old.scorer_version_id, old.level)
  returning 1
)
select count(*)::int as removed from gone`;

interface Row {
  readonly judged: string | null;
  readonly calls: string;
  readonly kept_at: string;
}

export class PostgresJudgeCallStore implements JudgeCallStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async keep(all: readonly ScoreCalls[]): Promise<void> {
    const rows = all.map(({ of, calls, ...key }) => ({ ...key, level: of, calls: encodeText(JSON.stringify(calls)) }));
    await this.#session.sql(KEEP, [JSON.stringify(rows)]);
  }

  async find(key: ScoreKey): Promise<ScoreCalls | undefined> {
    const { project_id, run_id, record_id, scorer_version_id, of } = key;
    const [row] = await this.#session.sql<Row>(FIND, [project_id, record_id, run_id, scorer_version_id, of]);
    if (!row) return undefined;
    const calls = JSON.parse(decodeText(row.calls)) as JudgeCallView[];
    return { project_id, run_id, record_id, scorer_version_id, of, judged: row.judged, calls, kept_at: toUtc(row.kept_at)! };
  }

  async removeKeptBefore(time: string, limit: number): Promise<number> {
    const [row] = await this.#session.sql<{ removed: number }>(REMOVE, [time, limit]);
    return row!.removed;
  }
}
