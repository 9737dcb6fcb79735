import type { DueWork, WorkList } from '../../../core/trends/work-list.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

export class PostgresWorkList implements WorkList {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put({ kind, project_id, id }: DueWork, due_at: string): Promise<void> {
    await this.#session.sql(
      `insert into due_work (kind, project_id, id, due_at) values ($1, $2, $3, $4)
       on conflict (kind, project_id, id) do update set due_at = excluded.due_at`,
      [kind, project_id, id, due_at],
    );
  }

  async remove({ kind, project_id, id }: DueWork): Promise<void> {
    await this.#session.sql('delete from due_work where kind = $1 and project_id = $2 and id = $3', [kind, project_id, id]);
  }

  /** Whoever asks at the same moment passes over the row that is taken. */
  async claim(kind: DueWork['kind'], now: string, until: string): Promise<DueWork | undefined> {
    const [work] = await this.#session.sql<DueWork>(
      `with next as materialized (
         select project_id, id from due_work where kind = $1 and due_at <= $2::timestamptz order by due_at limit 1
         for update skip locked
       )
       update due_work w set due_at = $3 from next
       where w.kind = $1 and w.project_id = next.project_id and w.id = next.id
       returning w.kind, w.project_id, w.id`,
      [kind, now, until],
    );
    return work;
  }
}
