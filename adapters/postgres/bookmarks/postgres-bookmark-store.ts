import type { Bookmark, FoundBookmark } from '../../../core/bookmarks/bookmark.ts';
import type { BookmarkKey, BookmarkSelection, BookmarkStore } from '../../../core/bookmarks/bookmark-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText } from '../database/text-codec.ts';
import { LOCKED_RECORD } from '../traces/locked-record.ts';
import { BookmarkTable } from './bookmark-tables.ts';

const PUT = `
with ${LOCKED_RECORD}
insert into bookmarks (project_id, record_id, run_id, user_id, is_shared, created_at)
select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::boolean, $6::timestamptz from there
on conflict (project_id, user_id, run_id, record_id) do update set is_shared = excluded.is_shared
returning record_id`;

/** Others than the one that is put. */
const OTHERS = `
select count(*)::int as total from bookmarks
where project_id = $1 and user_id = $2 and not (run_id = $3 and record_id = $4)`;

/** Bookmarks, newest first, each with what its record or session is called: looked up by its key for those of the page alone. */
const found = (where: string): string => `
select b.*, case when r.id is null then 'session' when r.is_trace then 'trace' else 'span' end as record_type,
  r.trace_id, coalesce(r.name, s.name, '') as name
from (select * from bookmarks where ${where} order by created_at desc, record_id desc, user_id desc offset $1 limit $2) as b
left join records r on r.project_id = b.project_id and r.id = b.record_id and (r.run_id = b.run_id) is true
left join sessions s on s.project_id = b.project_id and s.id = b.record_id and (s.run_id = b.run_id) is true
order by b.created_at desc, b.record_id desc, b.user_id desc`;

const FIND = found('project_id = $3 and user_id = $4 and run_id = $5 and record_id = $6');
const LIST = found('project_id = $3 and ($5::uuid is null or run_id = $5) and (user_id = $4 or (is_shared and not $6::boolean))');

export class PostgresBookmarkStore implements BookmarkStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  put({ project_id, run_id, record_id, user_id, ...facts }: Bookmark, most: number): Promise<'kept' | 'record_missing' | 'full'> {
    return this.#session.run(async () => {
      // Two that are put at once are counted one after the other.
      await this.#session.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`bookmarks ${project_id} ${user_id}`]);
      const [row] = await this.#session.sql<{ total: number }>(OTHERS, [project_id, user_id, run_id, record_id]);
      if (row!.total >= most) return 'full';
      const values = [project_id, record_id, run_id, user_id, facts.is_shared, facts.created_at];
      return (await this.#session.sql(PUT, values)).length > 0 ? 'kept' : 'record_missing';
    });
  }

  async remove({ project_id, run_id, record_id, user_id }: BookmarkKey): Promise<boolean> {
    return (await this.#session.em.nativeDelete(BookmarkTable, { project_id, run_id, record_id, user_id })) > 0;
  }

  async find({ project_id, run_id, record_id, user_id }: BookmarkKey): Promise<FoundBookmark | undefined> {
    const [row] = await this.#session.sql<FoundBookmark>(FIND, [0, 1, project_id, user_id, run_id, record_id]);
    return row && toFound(row);
  }

  async list({ project_id, run_id, user_id, own_only }: BookmarkSelection, { offset, limit }: Slice): Promise<FoundBookmark[]> {
    const values = [offset, limit, project_id, user_id, run_id ?? null, own_only];
    return (await this.#session.sql<FoundBookmark>(LIST, values)).map(toFound);
  }

  async recordIds(project_id: string, run_id: string, user_id: string): Promise<string[]> {
    const rows = await this.#session.sql<{ record_id: string }>(
      'select record_id from bookmarks where project_id = $1 and run_id = $2 and user_id = $3',
      [project_id, run_id, user_id],
    );
    return rows.map(({ record_id }) => record_id);
  }

  async removeAllOf(user_id: string): Promise<void> {
    await this.#session.em.nativeDelete(BookmarkTable, { user_id });
  }
}

const toFound = (row: FoundBookmark): FoundBookmark => ({
  ...row,
  name: decodeText(row.name),
  created_at: toUtc(row.created_at)!,
});
