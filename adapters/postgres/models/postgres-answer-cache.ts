import type { AnswerCache, KeptAnswer } from '../../../core/models/answer-cache.ts';
import type { Completion } from '../../../core/plugin-sdk/index.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

/** Of one statement. */
const AT_ONCE = 1_000;

const KEEP = `
insert into judge_answers (project_id, run_id, key, completion, expires_at) values ($1, $2, $3, $4::jsonb, $5)
on conflict (project_id, key) do update set completion = excluded.completion, expires_at = excluded.expires_at`;

const FORGET = `
delete from judge_answers where (project_id, key) in (
  select project_id, key from judge_answers where expires_at <= $1 order by expires_at limit ${AT_ONCE} for update skip locked
) returning key`;

export class PostgresAnswerCache implements AnswerCache {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async find(project_id: string, key: string, now: string): Promise<Completion | undefined> {
    const [row] = await this.#session.sql<{ completion: unknown }>(
      'select completion from judge_answers where project_id = $1 and key = $2 and expires_at > $3',
      [project_id, key, now],
    );
    return row && (decodeJson(row.completion) as Completion);
  }

  async keep({ project_id, run_id, key, completion, expires_at }: KeptAnswer): Promise<void> {
    await this.#session.sql(KEEP, [project_id, run_id, key, JSON.stringify(encodeJson(completion)), expires_at]);
  }

  async forget(now: string): Promise<boolean> {
    return (await this.#session.sql(FORGET, [now])).length === AT_ONCE;
  }
}
