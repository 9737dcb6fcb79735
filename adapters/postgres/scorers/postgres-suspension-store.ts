import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { Suspension } from '../../../core/scorers/scoring/suspension.ts';
import type { SuspensionStore } from '../../../core/scorers/scoring/suspension-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

const COLUMNS = 'project_id, scorer_version_id, scorer_id, reason, message, suspended_at';

export class PostgresSuspensionStore implements SuspensionStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(suspension: Suspension): Promise<boolean> {
    const { project_id, scorer_version_id, scorer_id, reason, message, suspended_at } = suspension;
    // A project that is deleted meanwhile leaves nothing behind.
    const stored = await this.#session.sql(
      `insert into scorer_suspensions (${COLUMNS})
       select $1, $2, $3, $4, $5, $6::timestamptz where exists (select from projects where id = $1 for share)
       on conflict do nothing returning scorer_id`,
      [project_id, scorer_version_id, scorer_id, reason, message, suspended_at],
    );
    return stored.length > 0;
  }

  async list(project_id: string, scorer_version_ids: readonly string[]): Promise<Suspension[]> {
    if (scorer_version_ids.length === 0) return [];
    const rows = await this.#session.sql<Suspension>(
      `select ${COLUMNS} from scorer_suspensions where project_id = $1 and scorer_version_id = any($2)`,
      [project_id, scorer_version_ids],
    );
    return rows.map(suspensionOf);
  }

  async listOfScorer(scorer_id: string): Promise<Suspension[]> {
    const rows = await this.#session.sql<Suspension>(
      `select ${COLUMNS} from scorer_suspensions where scorer_id = $1 order by suspended_at desc, project_id`,
      [scorer_id],
    );
    return rows.map(suspensionOf);
  }

  async remove(project_id: string, scorer_version_id: string): Promise<boolean> {
    const gone = await this.#session.sql(
      'delete from scorer_suspensions where project_id = $1 and scorer_version_id = $2 returning scorer_id',
      [project_id, scorer_version_id],
    );
    return gone.length > 0;
  }
}

const suspensionOf = (row: Suspension): Suspension => ({ ...row, suspended_at: toUtc(row.suspended_at) ?? row.suspended_at });
