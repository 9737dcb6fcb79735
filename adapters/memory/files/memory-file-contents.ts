import type { FileKey } from '../../../core/files/file.ts';
import type { DatabaseFileContents, KeptContent } from '../../../core/files/file-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

const keyOf = ({ project_id, id }: FileKey): string => `${project_id} ${id}`;

export class MemoryFileContents implements DatabaseFileContents {
  readonly isTransactional = true;
  readonly #contents: Table<string, Uint8Array>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#contents = database.table();
  }

  async put(file: FileKey, bytes: Uint8Array): Promise<void> {
    this.#contents.set(keyOf(file), bytes.slice());
  }

  async find(file: FileKey): Promise<Uint8Array | undefined> {
    return this.#contents.get(keyOf(file))?.slice();
  }

  async remove(file: FileKey): Promise<void> {
    this.#contents.delete(keyOf(file));
  }

  async *listAll(): AsyncGenerator<KeptContent> {
    for (const [key, { byteLength: bytes }] of [...this.#contents]) {
      const [project_id, id] = key.split(' ') as [string, string];
      yield { project_id, id, bytes };
    }
  }

  async listHeld(project_id: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.#contents.has(keyOf({ project_id, id }))));
  }
}
