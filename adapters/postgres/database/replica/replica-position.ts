/** Place in the write-ahead log, as PostgreSQL prints it (`16/B374D848`), as a number of bytes. */
export function parseLsn(text: string): bigint {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** End of the primary's log at a time of our own clock: whatever was committed before that time stands before it. */
interface Sample {
  /** In milliseconds of a monotonic clock. */
  readonly at: number;
  readonly lsn: bigint;
}

/** Enough for an hour of one sample a second; what is older than the samples counts as stale anyhow. */
const MAX_SAMPLES = 3_600;

/**
 * How far a replica has followed its primary, in time. It compares places in the log, not timestamps of transactions: a replica
 * of a primary on which nothing is written replays nothing, and is up to date all the same.
 */
export class ReplicaPosition {
  #samples: Sample[] = [];
  #confirmedAt: number | undefined;

  /** The primary's log ended there at `at` or later. */
  addPrimary(at: number, lsn: bigint): void {
    this.#samples.push({ at, lsn });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  /** The replica has replayed the log up to there. */
  addReplica(lsn: bigint): void {
    const reached = this.#samples.findLastIndex((sample) => sample.lsn <= lsn);
    if (reached < 0) return;
    this.#confirmedAt = this.#samples[reached]!.at;
    this.#samples = this.#samples.slice(reached);
  }

  /** Nothing is known of the replica any more: it is another one, or was away. */
  forget(): void {
    this.#samples = [];
    this.#confirmedAt = undefined;
  }

  /** Milliseconds since everything committed until then was seen on the replica; infinite while that is not known. */
  staleness(now: number): number {
    return this.#confirmedAt === undefined ? Number.POSITIVE_INFINITY : now - this.#confirmedAt;
  }
}
