import type { FileKey, StoredFile } from './file.ts';

/** That a record names a file. */
export interface FileReference {
  readonly record_id: string;
  readonly file_id: string;
}

/**
 * Files of projects without their content, and which records name them. A file that records name goes with the last of them; one
 * that was uploaded and that no record has named yet stays. All of it goes with the project.
 */
export interface FileStore {
  /**
   * Adds the files, in the order of their ids, unless the project has them: then they stay as they are, save that one without content
   * gets that of a later one, and one that came within a record the name and the person of an upload. Inside a transaction nobody removes them until that ends. Returns the ids of those whose content has
   * to be put.
   */
  insertOrHold(files: readonly StoredFile[]): Promise<ReadonlySet<string>>;
  /** Notes which files records of a run name, of those that the project has; naming one again is no error. */
  refer(project_id: string, run_id: string, references: readonly FileReference[]): Promise<void>;
  /** Takes back what was noted of records that the run does not hold: they were refused. */
  forget(project_id: string, run_id: string, record_ids: readonly string[]): Promise<void>;
  /** Of the ids those that the project has, in no order; a file that its last record left is not there any more. */
  list(project_id: string, ids: readonly string[]): Promise<StoredFile[]>;
  /** Notes that content of so many bytes was put. */
  addBytes(project_id: string, bytes: number): Promise<void>;
  /** Sum of the sizes of files whose content is kept. */
  bytesIn(project_id: string): Promise<number>;
  /** Some of the files that a record has left, in no order: work for `release`. */
  listLeft(limit: number): Promise<FileKey[]>;
  /**
   * To be called inside a transaction, for a file of `listLeft`. Removes it, unless another record names it, and takes it off
   * the list. Returns whether its content has to be removed.
   */
  release(file: FileKey): Promise<boolean>;
  /**
   * Returns what is known of a file, whether a record names it or not; undefined where there is none. Inside a transaction nobody removes or
   * holds it otherwise until that ends; records may name it meanwhile.
   */
  hold(file: FileKey): Promise<StoredFile | undefined>;
  /**
   * Notes that content of these files may be, or is about to be, where no transaction takes it back. Noted again, it counts from the
   * later time.
   */
  notePuts(files: readonly FileKey[], at: string): Promise<void>;
  /** Takes such notes back, where the project has the files. */
  settlePuts(files: readonly FileKey[]): Promise<void>;
  /** Some of the files that were noted before a time, those first that have waited longest. */
  listPuts(before: string, limit: number): Promise<FileKey[]>;
  /**
   * To be called inside a transaction, for a file of `listPuts`. Takes its note back, unless it was noted again; whoever notes it waits
   * until the transaction ends. Returns whether its content has to be removed, since the project has no such file.
   */
  releasePut(file: FileKey, before: string): Promise<boolean>;
}

/** The content of files. A technology of its own beside that of the other stores. */
export interface FileContents {
  /** Whether what is put and removed inside a transaction of the stores stands or falls with it. */
  readonly isTransactional: boolean;
  /** Puts it in place of what may be there. */
  put(file: FileKey, bytes: Uint8Array): Promise<void>;
  /** Undefined where there is none. */
  find(file: FileKey): Promise<Uint8Array | undefined>;
  /** That there is none is no error. */
  remove(file: FileKey): Promise<void>;
}

/** Content that is there, and its size. */
export interface KeptContent extends FileKey {
  readonly bytes: number;
}

/** Content that can be gone through. */
export interface ListedFileContents extends FileContents {
  /** All of it, in no stated order and a page at a time; of what is put or removed meanwhile it may have any. */
  listAll(): AsyncIterable<KeptContent>;
}

/** Content that is in the database. */
export interface DatabaseFileContents extends ListedFileContents {
  /** Of the ids those whose content is there. */
  listHeld(project_id: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}
