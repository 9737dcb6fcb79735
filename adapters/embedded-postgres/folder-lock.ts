import { accessSync, chmodSync, closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;
const OURS_ALONE = 0o600;

/**
 * Takes `file` for this process, or throws when another one has it. Node offers no file locks of its own; SQLite takes
 * one from the operating system, which frees it in the moment its owner dies. A file with a process id in it could not
 * be taken over without a race.
 */
export function lockFolder(file: string, folder: string): FolderLock {
  const holderFile = `${file}.pid`;
  closeToOthers(file);
  // Two that come at the same moment would otherwise both give way.
  const database = new DatabaseSync(file, { timeout: 250 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // Only for the message below; the lock itself is the file's.
    writeFileSync(holderFile, `${process.pid}\n`, { mode: OURS_ALONE });
    chmodSync(holderFile, OURS_ALONE);
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    throw new Error(`data folder ${folder} is in use by ${holderIn(holderFile)}`, { cause });
  }
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Whoever may read the file can lock it too, and keep us out. A file that is there is not opened: closing it would drop the locks
 * that this process has on it. Throws where it is not ours to write: SQLite would take it for a read-only database, and lock
 * nothing.
 */
function closeToOthers(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OURS_ALONE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    accessSync(file, constants.R_OK | constants.W_OK);
    chmodSync(file, OURS_ALONE);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function holderIn(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
