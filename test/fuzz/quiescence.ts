/**
 * Lets the work behind requests wait while somebody compares what is stored before and after a request: whatever differs then
 * was written by that request. Waiting for a while instead would not do, as failed work is tried again seconds later.
 */
export class Quiescence {
  #watched: Promise<void> = Promise.resolve();
  readonly #underWay = new Set<Promise<unknown>>();

  /** Does a piece of work once nobody watches. */
  readonly behind = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let watched: unknown; watched !== this.#watched; ) {
      watched = this.#watched;
      await this.#watched;
    }
    const doing = work();
    this.#underWay.add(doing);
    try {
      return await doing;
    } finally {
      this.#underWay.delete(doing);
    }
  };

  /** Looks once the work under way is done, and holds up what would begin. One watches at a time. */
  async watch<T>(look: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = this.#watched;
    this.#watched = earlier.then(() => promise);
    await earlier;
    await Promise.allSettled([...this.#underWay]);
    try {
      return await look();
    } finally {
      resolve();
    }
  }
}
