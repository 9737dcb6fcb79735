import type { SealedSecrets, SecretBox } from './secret-box.ts';

const AT_ONCE = 100;

/** A place where sealed secrets are kept, by the id of what they belong to. */
export interface SealedStore {
  /** Ids of the keys that wrap a data key, each once, in any order. */
  keyIds(): Promise<string[]>;
  /** Those whose data key another key than this one wraps, at most `limit`, in any order. */
  listOfOtherKeys(key_id: string, limit: number): Promise<{ readonly id: string; readonly secrets: SealedSecrets }[]>;
  /** Puts the secrets in place of those that were read; does nothing when they were changed meanwhile. */
  replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void>;
}

/** Keeps what is stored and the keys that are given together. */
export class SecretRotation {
  readonly #stores: readonly SealedStore[];
  readonly #box: SecretBox;

  constructor({ sealedStores, secretBox }: { sealedStores: readonly SealedStore[]; secretBox: SecretBox }) {
    this.#stores = sealedStores;
    this.#box = secretBox;
  }

  /** Throws an Error when there are secrets that no given key opens: better not to start than to find out by and by. */
  async verify(): Promise<void> {
    const missing = (await this.keysInUse()).filter((id) => !this.#box.knows(id));
    if (missing.length === 0) return;
    throw new Error(
      `stored secrets are encrypted with keys that are not given (${missing.sort().join(', ')}): set SECRETS_KEY, or SECRETS_OLD_KEYS, to the key they were stored with`,
    );
  }

  /** Wraps every data key by the current key and returns how many it were. May run beside a service, and again. */
  async rewrapAll(): Promise<number> {
    let done = 0;
    for (const store of this.#stores) done += await this.#rewrap(store);
    return done;
  }

  /** Ids of the keys that are still needed to read. */
  async keysInUse(): Promise<string[]> {
    const ids = await Promise.all(this.#stores.map((store) => store.keyIds()));
    return [...new Set(ids.flat())];
  }

  async #rewrap(store: SealedStore): Promise<number> {
    for (let done = 0; ; ) {
      const found = await store.listOfOtherKeys(this.#box.currentKeyId, AT_ONCE);
      if (found.length === 0) return done;
      for (const { id, secrets } of found) await store.replaceSecrets(id, secrets, this.#box.rewrap(id, secrets));
      done += found.length;
    }
  }
}
