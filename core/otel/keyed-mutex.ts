/** Lets work on the same thing come one after the other, in the order it was asked for. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work on any of the keys is over, however that ended. */
  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#last.get(key));
    const result = Promise.all(before).then(work);
    const over = result.then(
      () => {},
      () => {},
    );
    for (const key of keys) this.#last.set(key, over);
    try {
      return await result;
    } finally {
      for (const key of keys) if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }
}
