import type { StoredHealthScore } from '../../../core/health/health-score.ts';
import type { HealthStore } from '../../../core/health/health-store.ts';
import type { HealthScoreType } from '../../../core/health/health-type.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

const COLUMNS = `id, scorer_id, scorer_version_id, scorer_version_number, dataset_id, dataset_version_index, health_score_type,
  with_overlay, score, secondary, run_id, computed_at, interval, baseline, confusion_table`;

export class PostgresHealthStore implements HealthStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(score: StoredHealthScore): Promise<void> {
    await this.#session.sql(
      `insert into health_scores (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12,
         $13::jsonb, $14::jsonb, $15::jsonb)
       on conflict (scorer_version_id, dataset_id, health_score_type, with_overlay) do update set
         dataset_version_index = excluded.dataset_version_index, score = excluded.score, secondary = excluded.secondary,
         run_id = excluded.run_id, computed_at = excluded.computed_at, interval = excluded.interval,
         baseline = excluded.baseline, confusion_table = excluded.confusion_table`,
      [
        score.id,
        score.scorer_id,
        score.scorer_version_id,
        score.scorer_version_number,
        score.dataset_id,
        score.dataset_version_index,
        score.health_score_type,
        score.with_overlay,
        score.score,
        stored(score.secondary),
        score.run_id,
        score.computed_at,
        stored(score.interval),
        stored(score.baseline),
        stored(score.confusion_table),
      ],
    );
  }

  async list(scorer_id: string, dataset_id: string, health_score_type?: HealthScoreType): Promise<StoredHealthScore[]> {
    const rows = await this.#session.sql<StoredHealthScore>(
      `select ${COLUMNS} from health_scores
       where scorer_id = $1 and dataset_id = $2 and ($3::text is null or health_score_type = $3)
       order by scorer_version_number, health_score_type collate "C", with_overlay`,
      [scorer_id, dataset_id, health_score_type ?? null],
    );
    return rows.map((row) => ({
      ...row,
      secondary: decodeJson(row.secondary) as StoredHealthScore['secondary'],
      baseline: decodeJson(row.baseline) as StoredHealthScore['baseline'],
      confusion_table: decodeJson(row.confusion_table) as StoredHealthScore['confusion_table'],
      computed_at: toUtc(row.computed_at) ?? row.computed_at,
    }));
  }
}

const stored = (value: unknown): string | null => (value === null ? null : JSON.stringify(encodeJson(value)));
