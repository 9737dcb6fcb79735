/** An object that a listing names. */
export interface ObjectEntry {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Objects by key, in a folder or in a bucket that speaks S3. A key is made of segments between slashes; none of them is empty,
 * begins with a full stop, or holds anything but letters, digits and `=._-`.
 *
 * Each method rejects with `ObjectStoreError` where the store cannot be reached, refuses, or takes too long: what was asked for may
 * have happened then, and doing it again is safe.
 */
export interface ObjectStore {
  /** Where it is, for people: without credentials. */
  readonly location: string;
  /**
   * Keeps the whole object, in place of one that has the key; readers see the former object or the new one, never a part. Returns
   * false, and changes nothing, where `if_absent` is set and the key is taken.
   */
  put(key: string, content: Uint8Array, options?: { readonly if_absent?: boolean }): Promise<boolean>;
  /** Returns undefined where there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** All objects whose key begins with the prefix, by key. The prefix is empty, or ends with a slash. */
  list(prefix: string): AsyncIterable<ObjectEntry>;
  /** An object that is not there is no error. */
  remove(key: string): Promise<void>;
}

/** The store did not do what it was asked. The message says why, and holds no credentials. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
}

const KEY = /^[\w=-][\w.=-]*(\/[\w=-][\w.=-]*)*$/;
/** The most that S3 takes. */
const MAX_KEY_LENGTH = 1_024;

/** Throws a RangeError for what is no key: a fault of whoever made it. */
export function requireObjectKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new RangeError(`"${key.slice(0, 100)}" is no key of an object`);
}
