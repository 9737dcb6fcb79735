import { AppError } from '../kernel/errors.ts';
import { Id } from '../kernel/text.ts';
import { type ObjectStore, ObjectStoreError } from '../object-storage/object-store.ts';
import type { FileKey } from './file.ts';
import type { KeptContent, ListedFileContents } from './file-store.ts';

const RETRY_AFTER_SECONDS = 10;

/** Content of files as objects, `<project>/<file>`. Rejects with AppError `unavailable` where the store does not do what it is asked. */
export class ObjectFileContents implements ListedFileContents {
  readonly isTransactional = false;
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  async put(file: FileKey, bytes: Uint8Array): Promise<void> {
    await this.#objects.put(toObjectKey(file), bytes).catch(refuse);
  }

  find(file: FileKey): Promise<Uint8Array | undefined> {
    return this.#objects.get(toObjectKey(file)).catch(refuse);
  }

  remove(file: FileKey): Promise<void> {
    return this.#objects.remove(toObjectKey(file)).catch(refuse);
  }

  /** Objects that others keep beside it are passed over. */
  async *listAll(): AsyncGenerator<KeptContent> {
    try {
      for await (const { key, bytes } of this.#objects.list('')) {
        const [project_id = '', id = '', ...rest] = key.split('/');
        if (rest.length === 0 && [project_id, id].every((part) => Id.safeParse(part).success)) yield { project_id, id, bytes };
      }
    } catch (error) {
      refuse(error);
    }
  }
}

/** Where the content of a file is, in a folder or bucket. */
export const toObjectKey = ({ project_id, id }: FileKey): string => `${project_id}/${id}`;

function refuse(error: unknown): never {
  if (!(error instanceof ObjectStoreError)) throw error;
  const options = { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS };
  throw new AppError('unavailable', 'file_store_unavailable', 'the store of files does not respond, or refuses', options);
}
