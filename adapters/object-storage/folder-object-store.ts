import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ObjectEntry,
  type ObjectStore,
  ObjectStoreError,
  requireObjectKey,
} from '../../core/object-storage/object-store.ts';

/** Holds objects that are being written; readers of the folder pass over it for its name. */
const PARTIAL = '.partial';
/** Age of leftovers of a process that died: more than any object takes to be written. */
const LEFT_MS = 3_600_000;

const isCode = (error: unknown, ...codes: string[]): boolean => codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** Objects as files of a folder. An object is written beside the others, flushed, and renamed, so nobody ever sees a part of one. */
export class FolderObjectStore implements ObjectStore {
  readonly location: string;
  readonly #root: string;
  #isSwept = false;

  constructor(root: string) {
    this.#root = root;
    this.location = root;
  }

  async put(key: string, content: Uint8Array, { if_absent = false }: { readonly if_absent?: boolean } = {}): Promise<boolean> {
    return this.#do(async () => {
      const path = this.#toPath(key);
      await mkdir(join(this.#root, PARTIAL), { recursive: true });
      if (!this.#isSwept) await this.#sweep();
      const partial = join(this.#root, PARTIAL, randomUUID());
      try {
        await writeFlushed(partial, content);
        for (let tries = 1; ; tries += 1) {
          // The folder may go with the last object of another writer before this one is in it.
          await mkdir(dirname(path), { recursive: true });
          try {
            await (if_absent ? link(partial, path) : rename(partial, path));
            break;
          } catch (error) {
            if (if_absent && isCode(error, 'EEXIST')) return false;
            if (!isCode(error, 'ENOENT') || tries === 3) throw error;
          }
        }
        await flushFolder(dirname(path));
        return true;
      } finally {
        await rm(partial, { force: true });
      }
    });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const path = this.#toPath(key);
    return this.#do(() => readFile(path).catch(unlessMissing));
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry> {
    if (prefix !== '') requireObjectKey(prefix.replace(/\/$/, ''));
    yield* this.#walk(prefix);
  }

  async remove(key: string): Promise<void> {
    await this.#do(async () => {
      await rm(this.#toPath(key), { force: true });
      await this.#prune(dirname(key));
    });
  }

  async *#walk(prefix: string): AsyncGenerator<ObjectEntry> {
    const entries = (await this.#do(() => readdir(join(this.#root, prefix), { withFileTypes: true }).catch(unlessMissing))) ?? [];
    const shown = entries.filter(({ name }) => !name.startsWith('.'));
    // A folder stands where its objects do: by the key with the slash.
    const inOrder = shown.map((entry) => ({ entry, key: `${prefix}${entry.name}${entry.isDirectory() ? '/' : ''}` }));
    for (const { entry, key } of inOrder.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (entry.isDirectory()) yield* this.#walk(key);
      else {
        const facts = await this.#do(() => stat(join(this.#root, key)).catch(unlessMissing));
        if (facts) yield { key, bytes: facts.size };
      }
    }
  }

  /** Removes folders that hold nothing any more, upwards. */
  async #prune(folder: string): Promise<void> {
    for (let at = folder; at !== '.' && at !== ''; at = dirname(at)) {
      try {
        await rmdir(join(this.#root, at));
      } catch (error) {
        if (isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) return;
        throw error;
      }
    }
  }

  async #sweep(): Promise<void> {
    this.#isSwept = true;
    for (const name of await readdir(join(this.#root, PARTIAL))) {
      const path = join(this.#root, PARTIAL, name);
      const facts = await stat(path).catch(unlessMissing);
      if (facts && Date.now() - facts.mtimeMs > LEFT_MS) await rm(path, { force: true });
    }
  }

  #toPath(key: string): string {
    requireObjectKey(key);
    return join(this.#root, key);
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      throw new ObjectStoreError(`${this.#root}: ${error.message}`, { cause: error });
    }
  }
}

function unlessMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}

async function writeFlushed(path: string, content: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(content);
  await file.sync();
}

/** Makes a rename last. Some systems open no folders; there it lasts when they say so. */
async function flushFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!isCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL')) throw error;
  }
}
