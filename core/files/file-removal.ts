import type { Log, Transactions } from '../kernel/ports.ts';
import type { FileKey } from './file.ts';
import type { FileContents, FileStore } from './file-store.ts';

export interface FileRemovalDeps {
  readonly fileStore: FileStore;
  readonly fileContents: FileContents;
  readonly transactions: Transactions;
  readonly log: Log;
}

const FILES_AT_ONCE = 200;

/** Removes files that the last record naming them has left, or whose project is gone. They cannot be read by then. */
export class FileRemoval {
  readonly #deps: FileRemovalDeps;

  constructor(deps: FileRemovalDeps) {
    this.#deps = deps;
  }

  /** One pass; what fails is told to the log and tried again by the next one. */
  async run(): Promise<{ readonly more: boolean }> {
    const left = await this.#deps.fileStore.listLeft(FILES_AT_ONCE);
    let failed = 0;
    for (const file of left) {
      try {
        await this.#remove(file);
      } catch (error) {
        failed += 1;
        this.#deps.log.error('a file was not removed', {
          ...file,
          error: error instanceof Error ? error.message : String(error),
        });
      }
    }
    return { more: left.length === FILES_AT_ONCE && failed === 0 };
  }

  /** The content goes while the file is held: whoever sends it again waits, and puts it anew. */
  #remove(file: FileKey): Promise<void> {
    const { fileStore, fileContents, transactions } = this.#deps;
    return transactions.run(async () => {
      if (await fileStore.release(file)) await fileContents.remove(file);
    });
  }
}
