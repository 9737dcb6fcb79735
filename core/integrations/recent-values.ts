import type { Clock } from '../kernel/ports.ts';
import type { StoredIntegration } from './integration.ts';

interface Kept<T> {
  /** Of the integration it was made from: a change of settings makes it worthless. */
  readonly updated_at: string;
  readonly until: number;
  readonly value: T;
}

/** How long what a provider offers is believed, and its tokens are kept. */
const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 1_000;

/** A cache by integration: of bounded size, for some minutes, until the settings change. */
export class RecentValues<T> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nothing is kept when `make` throws. */
  of({ id, updated_at }: StoredIntegration, make: () => T): T {
    const now = this.#clock().getTime();
    const known = this.#kept.get(id);
    if (known && known.updated_at === updated_at && known.until > now) return known.value;
    const value = make();
    this.#kept.delete(id);
    this.#kept.set(id, { updated_at, until: now + KEPT_MS, value });
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return value;
  }

  forget(id: string): void {
    this.#kept.delete(id);
  }

  values(): T[] {
    return [...this.#kept.values()].map(({ value }) => value);
  }
}
