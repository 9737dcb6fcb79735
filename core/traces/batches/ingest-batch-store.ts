import type { IngestBatch } from './ingest-batch.ts';

/** The name of a batch: one project's keys are nothing to another. */
export interface BatchKey {
  readonly project_id: string;
  readonly key: string;
}

export interface NewBatch extends BatchKey {
  /** SHA-256 of the operation and the body. */
  readonly digest: string;
  readonly received_at: string;
  /** A claim that was made before has lapsed: whoever made it is gone. */
  readonly lapsed_before: string;
}

export interface StoredBatch extends IngestBatch {
  readonly digest: string;
}

/** `claimed`: to be written now, with the time at which it was first received. `known`: it is written, is being written, or is another one. */
export type BatchClaim =
  | { readonly kind: 'claimed'; readonly received_at: string }
  | { readonly kind: 'known'; readonly batch: StoredBatch };

/** Ledger of batches, by key. */
export interface IngestBatchStore {
  /** Claims a batch that is new, or of the same digest and pending with a claim that has lapsed or was given up. One claim at a time. */
  claim(batch: NewBatch): Promise<BatchClaim>;
  /** Marks a batch as stored, with the reply. A batch that is stored already, or unknown, stays as it is. */
  complete(key: BatchKey, reply: Readonly<Record<string, unknown>>, stored_at: string): Promise<void>;
  /** Ends the claim of a batch whose outcome is unknown: the next attempt may begin at once. */
  giveUp(key: BatchKey): Promise<void>;
  /** Forgets a pending batch of which nothing was written. */
  forget(key: BatchKey): Promise<void>;
  find(key: BatchKey): Promise<StoredBatch | undefined>;
  /** Removes up to `limit` batches received before this time. Returns how many those were. */
  removeBefore(time: string, limit: number): Promise<number>;
}
