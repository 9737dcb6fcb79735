import type { FileKey } from '../../../core/files/file.ts';
import type { DatabaseFileContents, KeptContent } from '../../../core/files/file-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

/** Before every id that is given to anything. */
const NIL = '00000000-0000-0000-0000-000000000000';
const PAGE = 500;
/** Sizes are known without the content. */
const LIST_ALL = `
select project_id, file_id as id, octet_length(content) as bytes from file_contents
where (project_id, file_id) > ($1::uuid, $2::uuid) order by project_id, file_id limit $3`;

export class PostgresFileContents implements DatabaseFileContents {
  readonly isTransactional = true;
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put({ project_id, id }: FileKey, bytes: Uint8Array): Promise<void> {
    await this.#session.sql(
      `insert into file_contents (project_id, file_id, content) values ($1, $2, $3)
       on conflict (project_id, file_id) do update set content = excluded.content`,
      [project_id, id, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
    );
  }

  async find({ project_id, id }: FileKey): Promise<Uint8Array | undefined> {
    const [row] = await this.#session.sql<{ content: Buffer }>(
      'select content from file_contents where project_id = $1 and file_id = $2',
      [project_id, id],
    );
    return row && new Uint8Array(row.content.buffer, row.content.byteOffset, row.content.byteLength);
  }

  async remove({ project_id, id }: FileKey): Promise<void> {
    await this.#session.sql('delete from file_contents where project_id = $1 and file_id = $2', [project_id, id]);
  }

  async *listAll(): AsyncGenerator<KeptContent> {
    let after: KeptContent = { project_id: NIL, id: NIL, bytes: 0 };
    for (;;) {
      const page = await this.#session.sql<KeptContent>(LIST_ALL, [after.project_id, after.id, PAGE]);
      yield* page;
      const last = page.at(-1);
      if (page.length < PAGE || !last) return;
      after = last;
    }
  }

  async listHeld(project_id: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#session.sql<{ id: string }>(
      'select file_id as id from file_contents where project_id = $1 and file_id = any($2::uuid[])',
      [project_id, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
