import type { FileKey } from '../../../core/files/file.ts';
import type { FileContents } from '../../../core/files/file-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

export class PostgresFileContents implements FileContents {
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
}
