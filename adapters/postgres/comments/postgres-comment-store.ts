import type { Comment } from '../../../core/comments/comment.ts';
import type { CommentSelection, CommentStore } from '../../../core/comments/comment-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import { NOTED } from '../record-index/noted-records.ts';
import { LOCKED_RECORD } from '../traces/locked-record.ts';

const INSERT = `
with ${LOCKED_RECORD}, changed as (
insert into comments (project_id, record_id, run_id, id, text, created_by, created_at, updated_at)
select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5, $6::uuid, $7::timestamptz, $8::timestamptz from there
returning project_id, run_id, record_id
), ${NOTED}
select record_id from changed`;
const REMOVE = `
with changed as (
  delete from comments where project_id = $1 and id = $2 returning project_id, run_id, record_id
), ${NOTED}
select record_id from changed`;
const COUNTS = `
select record_id, count(*)::int as total from comments
where project_id = $1 and run_id = $2 and record_id = any($3::uuid[]) group by record_id`;
const UPDATE = 'update comments set text = $3, updated_at = $4 where project_id = $1 and id = $2 returning *';

export class PostgresCommentStore implements CommentStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert(comment: Comment, most: number): Promise<'kept' | 'record_missing' | 'full'> {
    const { project_id, run_id, record_id, id, text, created_by, created_at, updated_at } = comment;
    return this.#session.run(async () => {
      // Two that are written at once are counted one after the other.
      await this.#session.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`comments ${project_id} ${record_id}`]);
      const [row] = await this.#session.sql<{ there: number }>(
        'select count(*)::int as there from comments where project_id = $1 and run_id = $2 and record_id = $3',
        [project_id, run_id, record_id],
      );
      if (row!.there >= most) return 'full';
      const values = [project_id, record_id, run_id, id, encodeText(text), created_by, created_at, updated_at];
      return (await this.#session.sql(INSERT, values)).length > 0 ? 'kept' : 'record_missing';
    });
  }

  async list({ project_id, run_id, record_id }: CommentSelection, { offset, limit }: Slice): Promise<Comment[]> {
    const named = Object.entries({ project_id, run_id, record_id }).filter(([, id]) => id !== undefined);
    const where = named.map(([column], at) => `${column} = $${at + 3}`).join(' and ');
    const rows = await this.#session.sql<Comment>(
      `select * from comments where ${where} order by created_at desc, id desc offset $1 limit $2`,
      [offset, limit, ...named.map(([, id]) => id)],
    );
    return rows.map(toComment);
  }

  async counts(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#session.sql<{ record_id: string; total: number }>(COUNTS, [project_id, run_id, record_ids]);
    return new Map(rows.map(({ record_id, total }) => [record_id, total]));
  }

  async find(project_id: string, id: string): Promise<Comment | undefined> {
    const [row] = await this.#session.sql<Comment>('select * from comments where project_id = $1 and id = $2', [project_id, id]);
    return row && toComment(row);
  }

  async update(
    project_id: string,
    id: string,
    { text, updated_at }: Pick<Comment, 'text' | 'updated_at'>,
  ): Promise<Comment | undefined> {
    const [row] = await this.#session.sql<Comment>(UPDATE, [project_id, id, encodeText(text), updated_at]);
    return row && toComment(row);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return (await this.#session.sql(REMOVE, [project_id, id])).length > 0;
  }
}

const toComment = (row: Comment): Comment => ({
  ...row,
  text: decodeText(row.text),
  created_at: toUtc(row.created_at)!,
  updated_at: toUtc(row.updated_at)!,
});
