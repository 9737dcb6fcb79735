import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { ShadowStore } from '../../../core/scorers/shadow/shadow-store.ts';
import type { ShadowTrial } from '../../../core/scorers/shadow/shadow-trial.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

const COLUMNS = 'project_id, run_id, scorer_id, scorer_version_id, sample_rate, started_by, started_at';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export class PostgresShadowStore implements ShadowStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(trial: ShadowTrial): Promise<void> {
    const { project_id, run_id, scorer_id, scorer_version_id, sample_rate, started_by, started_at } = trial;
    await this.#session.sql(
      `with forgotten as (
         delete from shadow_scores where project_id = $1 and run_id = $2 and scorer_id = $3 and scorer_version_id <> $4
       )
       insert into shadow_trials (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (project_id, run_id, scorer_id) do update set scorer_version_id = excluded.scorer_version_id,
         sample_rate = excluded.sample_rate, started_by = excluded.started_by, started_at = excluded.started_at`,
      [project_id, run_id, scorer_id, scorer_version_id, sample_rate, started_by, started_at],
    );
  }

  async find(project_id: string, run_id: string, scorer_id: string): Promise<ShadowTrial | undefined> {
    return (await this.list(project_id, run_id)).find((trial) => trial.scorer_id === scorer_id);
  }

  async list(project_id: string, run_id: string): Promise<ShadowTrial[]> {
    const rows = await this.#session.sql<ShadowTrial>(
      `select ${COLUMNS} from shadow_trials where project_id = $1 and run_id = $2`,
      [project_id, run_id],
    );
    return rows.map((row) => ({ ...row, started_at: toUtc(row.started_at) ?? row.started_at }));
  }

  async remove(project_id: string, run_id: string, scorer_id: string): Promise<boolean> {
    const gone = await this.#session.sql(
      `with forgotten as (delete from shadow_scores where project_id = $1 and run_id = $2 and scorer_id = $3)
       delete from shadow_trials where project_id = $1 and run_id = $2 and scorer_id = $3 returning scorer_id`,
      [project_id, run_id, scorer_id],
    );
    return gone.length > 0;
  }

  async scoredIds(
    { project_id, run_id, scorer_version_id }: Pick<ShadowTrial, 'project_id' | 'run_id' | 'scorer_version_id'>,
    after: string | undefined,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.#session.sql<{ record_id: string }>(
      `select record_id from shadow_scores
       where project_id = $1 and run_id = $2 and scorer_version_id = $3 and record_id > $4
       order by record_id limit $5`,
      [project_id, run_id, scorer_version_id, after ?? FIRST_ID, limit],
    );
    return rows.map(({ record_id }) => record_id);
  }
}
