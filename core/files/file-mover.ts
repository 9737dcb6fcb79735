import type { Sha256 } from '../kernel/digest.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { FileKey, StoredFile } from './file.ts';
import { toFileId } from './file-id.ts';
import type { FileContents, FileStore, ListedFileContents } from './file-store.ts';

export interface FileMoveDeps {
  readonly fileStore: Pick<FileStore, 'hold' | 'notePuts' | 'settlePuts'>;
  readonly from: ListedFileContents;
  readonly to: FileContents;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

export interface FileMove {
  /** Files whose content is in the other store now. */
  moved: number;
  moved_bytes: number;
  /** Content whose file is gone, or not there yet: it is left to the removal of files, or to whoever is putting it. */
  skipped: number;
  /** The first files whose content is not what was kept; it stays where it is. */
  readonly damaged: FileKey[];
  num_damaged: number;
  /** Files that could not be moved this time; their content stays where it is. */
  failed: number;
  /** Why the last of them could not. */
  failure: string | null;
  /** False where it ended before it had seen all: asked to, or too many files failed one after the other. */
  is_complete: boolean;
}

export interface FileMoveWatch {
  readonly signal?: AbortSignal | undefined;
  /** Called after each file. */
  progress?(move: Readonly<FileMove>): void;
}

/** Content that is to be moved. */
export interface FileMovePlan {
  readonly files: number;
  readonly bytes: number;
}

/** Each holds its content twice for a moment. */
const FILES_AT_ONCE = 4;
/** As many failures one after the other as mean that a store is down. */
const MAX_FAILURES_IN_A_ROW = 8;
const MAX_NAMED = 100;

type Outcome = 'moved' | 'skipped' | 'damaged';

/**
 * Moves the content of files from one store to another while the service runs. At each moment the content of a file is whole in one of the
 * two: the old copy goes when the new one was read back and has the same digest. What was begun before is finished by moving again.
 */
export class FileMover {
  readonly #deps: FileMoveDeps;

  constructor(deps: FileMoveDeps) {
    this.#deps = deps;
  }

  /** Changes nothing. */
  async plan(): Promise<FileMovePlan> {
    let [files, sum] = [0, 0];
    for await (const { bytes } of this.#deps.from.listAll()) {
      files += 1;
      sum += bytes;
    }
    return { files, bytes: sum };
  }

  /** Rejects when what there is to move cannot be listed; what goes wrong with a file is in the report. */
  async moveAll({ signal, progress }: FileMoveWatch = {}): Promise<FileMove> {
    const move: FileMove = {
      ...{ moved: 0, moved_bytes: 0, skipped: 0, damaged: [], num_damaged: 0, failed: 0, failure: null },
      is_complete: true,
    };
    const files = this.#deps.from.listAll()[Symbol.asyncIterator]();
    let failedInARow = 0;
    const mustEnd = () => signal?.aborted === true || failedInARow >= MAX_FAILURES_IN_A_ROW;
    const work = async (): Promise<void> => {
      while (!mustEnd()) {
        const next = await files.next();
        if (next.done) return;
        try {
          count(move, next.value, await this.#move(next.value));
          failedInARow = 0;
        } catch (error) {
          failedInARow += 1;
          move.failed += 1;
          move.failure = toReason(error);
        }
        progress?.(move);
      }
      move.is_complete = false;
    };
    const ended = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, work));
    await files.return?.();
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    return move;
  }

  async #move(file: FileKey): Promise<Outcome> {
    const { from, sha256 } = this.#deps;
    const stored = await this.#findComplete(file);
    const bytes = stored && (await from.find(file));
    if (!bytes) return 'skipped';
    const digest = sha256(bytes);
    if (!isWhole(stored, bytes, digest)) return 'damaged';
    if (!(await this.#put(file, bytes))) return 'skipped';
    return this.#removeOld(file, digest);
  }

  #findComplete(file: FileKey): Promise<StoredFile | undefined> {
    const { fileStore, transactions } = this.#deps;
    return transactions.run(() => holdComplete(fileStore, file));
  }

  /** Content that no transaction takes back is noted first, as when a file is kept: whatever happens, it is not left without a file. */
  async #put(file: FileKey, bytes: Uint8Array): Promise<boolean> {
    const { fileStore, to, transactions, clock } = this.#deps;
    if (!to.isTransactional) {
      await fileStore.notePuts([file], clock().toISOString());
      await to.put(file, bytes);
      return true;
    }
    return transactions.run(async () => {
      if (!(await holdComplete(fileStore, file))) return false;
      await to.put(file, bytes);
      return true;
    });
  }

  /** The file is held while both copies are looked at, so nobody who moves it the other way removes the one while this removes the other. */
  #removeOld(file: FileKey, digest: string): Promise<Outcome> {
    const { fileStore, from, to, transactions, clock, sha256 } = this.#deps;
    return transactions.run(async () => {
      if (!(await holdComplete(fileStore, file))) {
        // Its removal may have gone by before the content was put.
        if (!to.isTransactional) await fileStore.notePuts([file], clock().toISOString());
        return 'skipped';
      }
      const copy = await to.find(file);
      if (!copy || sha256(copy) !== digest) throw new Error(`the copy of file ${file.id} is not what was put`);
      await from.remove(file);
      if (!to.isTransactional) await fileStore.settlePuts([file]);
      return 'moved';
    });
  }
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function holdComplete(fileStore: Pick<FileStore, 'hold'>, file: FileKey): Promise<StoredFile | undefined> {
  const stored = await fileStore.hold(file);
  return stored?.status === 'complete' ? stored : undefined;
}

/** By the hash that was kept; of files from before by their id, where it is made of the content; else by the size. */
function isWhole({ id, sha256, size_bytes }: StoredFile, bytes: Uint8Array, digest: string): boolean {
  if (sha256 !== null) return digest === sha256;
  return id[14] === '8' ? toFileId(digest) === id : bytes.byteLength === size_bytes;
}

function count(move: FileMove, { bytes, ...file }: FileKey & { readonly bytes: number }, outcome: Outcome): void {
  if (outcome === 'skipped') move.skipped += 1;
  else if (outcome === 'damaged') {
    move.num_damaged += 1;
    if (move.damaged.length < MAX_NAMED) move.damaged.push(file);
  } else {
    move.moved += 1;
    move.moved_bytes += bytes;
  }
}
