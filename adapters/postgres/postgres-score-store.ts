import type { JsonValue } from '../../core/kernel/json.ts';
import { toUtc } from '../../core/kernel/timestamp.ts';
import type { Score } from '../../core/scorers/score.ts';
import type { ScoreStore } from '../../core/scorers/score-store.ts';
import type { PostgresSession } from './postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from './text-codec.ts';

type ScoreRow = Omit<Score, 'value'> & { readonly value: string | null };

const COLUMNS = `project_id uuid, run_id uuid, record_id uuid, scorer_id uuid, scorer_version_id uuid, metric_name text, status_type text,
  value text, explanation text, message text, scored_at timestamptz`;
const NAMES =
  'project_id, run_id, record_id, scorer_id, scorer_version_id, metric_name, status_type, value, explanation, message, scored_at';

/** What was scored is put on the list of the record index. Sorted by key, so that two workers with overlapping jobs cannot lock each other out. */
const INSERT = `
with inserted as (
insert into scores (${NAMES})
select ${NAMES} from jsonb_to_recordset($1::jsonb) as score(${COLUMNS})
where exists (select from records r where r.project_id = score.project_id and r.id = score.record_id and (r.run_id = score.run_id) is true)
order by project_id, record_id, run_id, scorer_version_id
on conflict do nothing
returning project_id, run_id, record_id
)
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select project_id, run_id, array_agg(distinct record_id), 0, 0 from inserted group by project_id, run_id`;

export class PostgresScoreStore implements ScoreStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(scores: readonly Score[]): Promise<void> {
    if (scores.length > 0) await this.#session.sql(INSERT, [JSON.stringify(scores.map(rowOf))]);
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Score[]> {
    const rows = await this.#session.sql<ScoreRow>(
      `select ${NAMES} from scores where project_id = $1 and record_id = any($3::uuid[]) and run_id = $2 order by scored_at, scorer_version_id`,
      [project_id, run_id, record_ids],
    );
    return rows.map(scoreOf);
  }
}

const encoded = (text: string | null): string | null => (text === null ? null : encodeText(text));
const decoded = (text: string | null): string | null => (text === null ? null : decodeText(text));

const rowOf = (score: Score): ScoreRow => ({
  ...score,
  metric_name: encodeText(score.metric_name),
  value: JSON.stringify(encodeJson(score.value)),
  explanation: encoded(score.explanation),
  message: encoded(score.message),
});

const scoreOf = (row: ScoreRow): Score => ({
  ...row,
  metric_name: decodeText(row.metric_name),
  value: row.value === null ? null : (decodeJson(JSON.parse(row.value)) as JsonValue),
  explanation: decoded(row.explanation),
  message: decoded(row.message),
  scored_at: toUtc(row.scored_at)!,
});
