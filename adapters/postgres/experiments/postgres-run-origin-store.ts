import { AppError } from '../../../core/kernel/errors.ts';
import type { RunOrigin } from '../../../core/projects/run-origin.ts';
import type { RunOriginStore } from '../../../core/projects/run-origin-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

const COLUMNS = 'project_id, run_id, dataset_id, dataset_version_index, scorer_id, scorer_version_id, source_run_id';

export class PostgresRunOriginStore implements RunOriginStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** The run is held while its origin is written, so that none is left behind by a removal under way. */
  async put(origin: RunOrigin): Promise<void> {
    const { project_id, run_id, dataset_id, dataset_version_index, scorer_id, scorer_version_id, source_run_id } = origin;
    const written = await this.#session.sql(
      `with held as (select project_id, id from runs where project_id = $1 and id = $2 for key share)
       insert into run_origins (${COLUMNS})
       select project_id, id, $3::uuid, $4::int, $5::uuid, $6::uuid, $7::uuid from held
       on conflict (project_id, run_id) do update set
         dataset_id = excluded.dataset_id, dataset_version_index = excluded.dataset_version_index,
         scorer_id = excluded.scorer_id, scorer_version_id = excluded.scorer_version_id,
         source_run_id = excluded.source_run_id
       returning run_id`,
      [project_id, run_id, dataset_id, dataset_version_index, scorer_id, scorer_version_id, source_run_id],
    );
    if (written.length === 0) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
  }

  async find(project_id: string, run_id: string): Promise<RunOrigin | undefined> {
    const [origin] = await this.list(project_id, [run_id]);
    return origin;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<RunOrigin[]> {
    return this.#session.sql<RunOrigin>(`select ${COLUMNS} from run_origins where project_id = $1 and run_id = any($2::uuid[])`, [
      project_id,
      [...run_ids],
    ]);
  }
}
