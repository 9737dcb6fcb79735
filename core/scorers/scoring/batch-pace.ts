/** How long a call of a program should take: results are stored, and the job can be handed back, after each. */
const TARGET_MS = 1_000;
const FIRST = 100;
const MIN = 5;
/** Starting a program costs more than most of its scores. */
const MAX = 500;
const MAX_KEPT = 10_000;

/** How many records go into one call of a program: so many as it did in about a second when it was called last. */
export class BatchPace {
  readonly #sizes = new Map<string, number>();

  sizeFor(scorer_version_id: string): number {
    return this.#sizes.get(scorer_version_id) ?? FIRST;
  }

  note(scorer_version_id: string, records: number, ms: number): void {
    const size = Math.round((records * TARGET_MS) / Math.max(1, ms));
    this.#sizes.delete(scorer_version_id);
    this.#sizes.set(scorer_version_id, Math.min(MAX, Math.max(MIN, size)));
    if (this.#sizes.size > MAX_KEPT) this.#sizes.delete(this.#sizes.keys().next().value!);
  }
}
