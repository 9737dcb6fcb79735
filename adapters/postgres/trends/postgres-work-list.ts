import type { DueWork, WorkList } from '../../../core/trends/work-list.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

/** That are told of at once. */
const MAX_PROJECTS = 200;

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

  async dueProjects(kind: DueWork['kind'], now: string): Promise<string[]> {
    const rows = await this.#session.sql<{ project_id: string }>(
      `select project_id from due_work where kind = $1 and due_at <= $2::timestamptz
       group by project_id order by min(due_at), project_id limit ${MAX_PROJECTS}`,
      [kind, now],
    );
    return rows.map(({ project_id }) => project_id);
  }

  /** Whoever asks at the same moment passes over the row that is taken. */
  async claim(kind: DueWork['kind'], now: string, until: string, project_id?: string): Promise<DueWork | undefined> {
    const [work] = await this.#session.sql<DueWork>(
      `with next as materialized (
         select project_id, id from due_work where kind = $1 and due_at <= $2::timestamptz ${project_id === undefined ? '' : 'and project_id = $4'} order by due_at limit 1
         for update skip locked
       )
       update due_work w set due_at = $3 from next
       where w.kind = $1 and w.project_id = next.project_id and w.id = next.id
       returning w.kind, w.project_id, w.id`,
      [kind, now, until, ...(project_id === undefined ? [] : [project_id])],
    );
    return work;
  }
}
