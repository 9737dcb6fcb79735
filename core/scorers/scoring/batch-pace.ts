/** How long a call of a program should take: results are stored, and the job can be handed back, after each. */
const TARGET_MS = 1_000;
const FIRST = 100;
const MIN = 1;
/** Starting a program costs more than most of its scores. */
const MAX = 500;
const MAX_KEPT = 10_000;

/** How many records go into one call of a program: so many as it did in about a second when it was called last. */
export class BatchPace {
  /** How long a call with more than one record may take before it is cut off, in milliseconds. */
  readonly limitMs: number;
  readonly #sizes = new Map<string, number>();

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  sizeFor(scorer_version_id: string): number {
    return this.#sizes.get(scorer_version_id) ?? FIRST;
  }

  note(scorer_version_id: string, records: number, ms: number): void {
    this.#keep(scorer_version_id, Math.round((records * TARGET_MS) / Math.max(1, ms)));
  }

  /** After a call that was cut off: the next one is to have half of its records, until a single one, which is not cut off. */
  noteCut(scorer_version_id: string, records: number): void {
    this.#keep(scorer_version_id, Math.floor(records / 2));
  }

  #keep(scorer_version_id: string, size: number): void {
    this.#sizes.delete(scorer_version_id);
    this.#sizes.set(scorer_version_id, Math.min(MAX, Math.max(MIN, size)));
    if (this.#sizes.size > MAX_KEPT) this.#sizes.delete(this.#sizes.keys().next().value!);
  }
}
