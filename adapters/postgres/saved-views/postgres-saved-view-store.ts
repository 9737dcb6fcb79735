import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { SavedView } from '../../../core/saved-views/saved-view.ts';
import type { SavedViewStore, ViewChanges } from '../../../core/saved-views/saved-view-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';
import { SavedViewTable } from './saved-view-tables.ts';

const SEEN = `
select * from saved_views where project_id = $1 and (is_shared or created_by = $2) and ($3::uuid is null or id = $3)
order by created_at, id`;

export class PostgresSavedViewStore implements SavedViewStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert(view: SavedView, most: number): Promise<boolean> {
    const { project_id, created_by } = view;
    return this.#session.run(async () => {
      // Two that are saved at once are counted one after the other.
      await this.#session.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `saved views ${project_id} ${created_by}`,
      ]);
      const [row] = await this.#session.sql<{ own: number }>(
        'select count(*)::int as own from saved_views where project_id = $1 and created_by = $2',
        [project_id, created_by],
      );
      if (row!.own >= most) return false;
      await this.#session.em.insert(SavedViewTable, toRow(view));
      return true;
    });
  }

  async list(project_id: string, user_id: string): Promise<SavedView[]> {
    return (await this.#session.sql<SavedView>(SEEN, [project_id, user_id, null])).map(toView);
  }

  async find(project_id: string, id: string, user_id: string): Promise<SavedView | undefined> {
    const [row] = await this.#session.sql<SavedView>(SEEN, [project_id, user_id, id]);
    return row && toView(row);
  }

  async update(project_id: string, id: string, changes: ViewChanges): Promise<void> {
    await this.#session.em.nativeUpdate(SavedViewTable, { project_id, id }, toRow(changes));
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return (await this.#session.em.nativeDelete(SavedViewTable, { project_id, id })) > 0;
  }

  async removePrivateOf(user_id: string): Promise<void> {
    await this.#session.em.nativeDelete(SavedViewTable, { created_by: user_id, is_shared: false });
  }
}

/** Values of filters may hold what a `jsonb` column does not take. */
const toRow = <Row extends ViewChanges>(row: Row): Row => (row.state ? { ...row, state: encodeJson(row.state) } : row);

const toView = (row: SavedView): SavedView => ({
  ...row,
  state: decodeJson(row.state) as SavedView['state'],
  created_at: toUtc(row.created_at)!,
  updated_at: toUtc(row.updated_at)!,
});
