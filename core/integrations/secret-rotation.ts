import type { IntegrationStore } from './integration-store.ts';
import type { SecretBox } from './secret-box.ts';

const AT_ONCE = 100;

/** Keeps what is stored and the keys that are given together. */
export class SecretRotation {
  readonly #store: IntegrationStore;
  readonly #box: SecretBox;

  constructor({ integrationStore, secretBox }: { integrationStore: IntegrationStore; secretBox: SecretBox }) {
    this.#store = integrationStore;
    this.#box = secretBox;
  }

  /** Throws an Error when there are secrets that no given key opens: better not to start than to find out by and by. */
  async verify(): Promise<void> {
    const missing = (await this.#store.keyIds()).filter((id) => !this.#box.knows(id));
    if (missing.length === 0) return;
    throw new Error(
      `secrets of integrations are encrypted with keys that are not given (${missing.sort().join(', ')}): set SECRETS_KEY, or SECRETS_OLD_KEYS, to the key they were stored with`,
    );
  }

  /** Wraps every data key by the current key and answers how many it were. May run beside a service, and again. */
  async rewrapAll(): Promise<number> {
    let done = 0;
    for (;;) {
      const found = await this.#store.listOfOtherKeys(this.#box.currentKeyId, AT_ONCE);
      if (found.length === 0) return done;
      for (const { id, secrets } of found) await this.#store.replaceSecrets(id, secrets, this.#box.rewrap(id, secrets));
      done += found.length;
    }
  }

  /** Ids of the keys that are still needed to read. */
  keysInUse(): Promise<string[]> {
    return this.#store.keyIds();
  }
}
