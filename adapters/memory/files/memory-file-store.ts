import type { FileKey, StoredFile } from '../../../core/files/file.ts';
import type { FileReference, FileStore } from '../../../core/files/file-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type RecordExists = (project_id: string, run_id: string, id: string) => Promise<boolean> | boolean;

interface Reference extends FileReference {
  readonly project_id: string;
  readonly run_id: string;
}

const keyOf = ({ project_id, id }: FileKey): string => `${project_id} ${id}`;

export class MemoryFileStore implements FileStore {
  readonly #database: MemoryDatabase;
  readonly #files: Table<string, StoredFile>;
  readonly #references: Table<string, Reference>;
  readonly #left: Table<string, FileKey>;
  readonly #puts: Table<string, FileKey & { readonly at: string }>;
  readonly #recordExists: RecordExists;

  constructor({ database, recordExists }: { database: MemoryDatabase; recordExists: RecordExists }) {
    this.#database = database;
    this.#files = database.table();
    this.#references = database.table();
    this.#left = database.table();
    this.#puts = database.table();
    this.#recordExists = recordExists;
  }

  async insertOrHold(files: readonly StoredFile[]): Promise<ReadonlySet<string>> {
    this.#database.hold();
    return new Set(files.filter((file) => this.#insertOrComplete(file)).map(({ id }) => id));
  }

  /** Sizes are added up when they are asked for. */
  async addBytes(): Promise<void> {}

  async refer(project_id: string, run_id: string, references: readonly FileReference[]): Promise<void> {
    for (const { record_id, file_id } of references)
      if (this.#files.has(keyOf({ project_id, id: file_id })))
        this.#references.set(`${project_id} ${run_id} ${record_id} ${file_id}`, { project_id, run_id, record_id, file_id });
  }

  async forget(project_id: string, run_id: string, record_ids: readonly string[]): Promise<void> {
    const gone: string[] = [];
    for (const id of record_ids) if (!(await this.#recordExists(project_id, run_id, id))) gone.push(id);
    for (const file of this.#unlink(project_id, run_id, gone))
      if (this.#files.get(keyOf(file))?.created_by === null) this.#left.set(keyOf(file), file);
  }

  async list(project_id: string, ids: readonly string[]): Promise<StoredFile[]> {
    const keys = [...new Set(ids)].map((id) => keyOf({ project_id, id }));
    const files = keys.map((key) => this.#files.get(key)).filter((file) => file !== undefined);
    return structuredClone(files.filter((file) => !this.#left.has(keyOf(file)) || this.#isNamed(file)));
  }

  async bytesIn(project_id: string): Promise<number> {
    const files = [...this.#files.values()].filter((file) => file.project_id === project_id && file.status === 'complete');
    return files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  }

  async listLeft(limit: number): Promise<FileKey[]> {
    return [...this.#left.values()].slice(0, limit).map((file) => ({ ...file }));
  }

  async release(file: FileKey): Promise<boolean> {
    this.#database.hold();
    if (!this.#left.delete(keyOf(file)) || this.#isNamed(file)) return false;
    this.#files.delete(keyOf(file));
    return true;
  }

  async hold(file: FileKey): Promise<StoredFile | undefined> {
    this.#database.hold();
    return structuredClone(this.#files.get(keyOf(file)));
  }

  async notePuts(files: readonly FileKey[], at: string): Promise<void> {
    for (const { project_id, id } of files) this.#puts.set(keyOf({ project_id, id }), { project_id, id, at });
  }

  async settlePuts(files: readonly FileKey[]): Promise<void> {
    for (const file of files) this.#puts.delete(keyOf(file));
  }

  async listPuts(before: string, limit: number): Promise<FileKey[]> {
    const noted = [...this.#puts.values()].filter(({ at }) => at < before).toSorted((a, b) => (a.at < b.at ? -1 : 1));
    return noted.slice(0, limit).map(({ project_id, id }) => ({ project_id, id }));
  }

  async releasePut(file: FileKey, before: string): Promise<boolean> {
    this.#database.hold();
    const noted = this.#puts.get(keyOf(file));
    if (!noted || noted.at >= before) return false;
    this.#puts.delete(keyOf(file));
    return this.#files.get(keyOf(file))?.status !== 'complete';
  }

  /** Of records that are removed: these, else all of the run, else all of the project. */
  leave(project_id: string, run_id?: string, record_ids?: readonly string[]): void {
    for (const file of this.#unlink(project_id, run_id, record_ids)) this.#left.set(keyOf(file), file);
  }

  /** Of a project that is deleted. */
  remove(project_id: string): void {
    this.leave(project_id);
    for (const [key, { id }] of this.#files)
      if (key === keyOf({ project_id, id })) {
        this.#files.delete(key);
        this.#left.set(key, { project_id, id });
      }
  }

  /** Returns whether its content has to be put. */
  #insertOrComplete(file: StoredFile): boolean {
    const key = keyOf(file);
    const known = this.#files.get(key);
    this.#left.delete(key);
    const { filename, upload_metadata, created_by } =
      known?.created_by === null && file.created_by !== null ? file : (known ?? file);
    const isComplete = known?.status === 'complete' || file.status === 'complete';
    const own = { filename, upload_metadata, created_by, status: isComplete ? 'complete' : 'failed' } as const;
    this.#files.set(key, structuredClone({ ...(known ?? file), ...own }));
    return file.status === 'complete' && known?.status !== 'complete';
  }

  #unlink(project_id: string, run_id?: string, record_ids?: readonly string[]): FileKey[] {
    const ids = record_ids && new Set(record_ids);
    const isMeant = (one: Reference): boolean =>
      one.project_id === project_id && (run_id === undefined || one.run_id === run_id) && (!ids || ids.has(one.record_id));
    const found = [...this.#references].filter(([, one]) => isMeant(one));
    for (const [key] of found) this.#references.delete(key);
    return found.map(([, { file_id }]) => ({ project_id, id: file_id }));
  }

  #isNamed({ project_id, id }: FileKey): boolean {
    return [...this.#references.values()].some((one) => one.project_id === project_id && one.file_id === id);
  }
}
