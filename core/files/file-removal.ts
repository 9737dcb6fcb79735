import type { Clock, Log, Transactions } from '../kernel/ports.ts';
import type { FileKey } from './file.ts';
import type { FileContents, FileStore } from './file-store.ts';

export interface FileRemovalDeps {
  readonly fileStore: FileStore;
  readonly fileContents: FileContents;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly log: Log;
}

const FILES_AT_ONCE = 200;
/** Longer than any request that has put content takes to store the facts of it. */
const GRACE_MS = 10 * 60_000;

/** Removes files that the last record naming them has left, or whose project is gone. They cannot be read by then. */
export class FileRemoval {
  readonly #deps: FileRemovalDeps;

  constructor(deps: FileRemovalDeps) {
    this.#deps = deps;
  }

  /** One pass; what fails is told to the log and tried again by the next one. Content outside of the database goes after a grace period. */
  async run(graceMs = GRACE_MS): Promise<{ readonly more: boolean }> {
    const { fileStore, fileContents, clock } = this.#deps;
    const left = await fileStore.listLeft(FILES_AT_ONCE);
    const failed = await this.#each(left, (file) => this.#remove(file));
    const isMoreLeft = left.length === FILES_AT_ONCE && failed === 0;
    if (fileContents.isTransactional) return { more: isMoreLeft };
    const before = new Date(clock().getTime() - graceMs).toISOString();
    const puts = await fileStore.listPuts(before, FILES_AT_ONCE);
    const failedPuts = await this.#each(puts, (file) => this.#removeOutside(file, before));
    return { more: isMoreLeft || (puts.length === FILES_AT_ONCE && failedPuts === 0) };
  }

  /** Returns how many failed. */
  async #each(files: readonly FileKey[], remove: (file: FileKey) => Promise<void>): Promise<number> {
    let failed = 0;
    for (const file of files) {
      try {
        await remove(file);
      } catch (error) {
        failed += 1;
        this.#deps.log.error('a file was not removed', {
          ...file,
          error: error instanceof Error ? error.message : String(error),
        });
      }
    }
    return failed;
  }

  /**
   * The content goes while the file is held: whoever sends it again waits, and puts it anew. Outside of the database it goes when the
   * facts are gone for certain: a crash in between may leave content without its file, never a file without its content.
   */
  #remove(file: FileKey): Promise<void> {
    const { fileStore, fileContents, transactions, clock } = this.#deps;
    return transactions.run(async () => {
      if (!(await fileStore.release(file))) return;
      if (fileContents.isTransactional) await fileContents.remove(file);
      else await fileStore.notePuts([file], clock().toISOString());
    });
  }

  /** Whoever puts it again waits meanwhile. */
  #removeOutside(file: FileKey, before: string): Promise<void> {
    const { fileStore, fileContents, transactions } = this.#deps;
    return transactions.run(async () => {
      if (await fileStore.releasePut(file, before)) await fileContents.remove(file);
    });
  }
}
