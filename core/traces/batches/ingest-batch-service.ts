import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import { BATCH_KEPT_MS, type IngestBatch } from './ingest-batch.ts';
import type { BatchKey, IngestBatchStore, StoredBatch } from './ingest-batch-store.ts';
import { identityOf, type WriteIdentity } from './write-identity.ts';

export interface IngestBatchDeps {
  readonly ingestBatchStore: IngestBatchStore;
  readonly authorizer: Authorizer;
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** A request that is to be carried out once. */
export interface KeyedRequest extends BatchKey {
  readonly operation: string;
  readonly body: unknown;
}

export interface OnceReply<Reply> {
  readonly reply: Reply;
  /** Whether the reply is that of an earlier request with this key. */
  readonly is_replayed: boolean;
}

/** After so long without an outcome, another attempt may begin; two at once would write the same. */
const CLAIM_MS = 15_000;
const REMOVED_AT_ONCE = 1_000;

/**
 * Ledger of writes: makes requests with an `Idempotency-Key` idempotent (draft-ietf-httpapi-idempotency-key-header), and tells which of
 * them arrived. Exactly once holds through a crash at any point: each attempt makes the same ids and times, and a record
 * that is written again is the same record.
 */
export class IngestBatchService {
  readonly #deps: IngestBatchDeps;

  constructor(deps: IngestBatchDeps) {
    this.#deps = deps;
  }

  /**
   * Carries out the request, or returns the reply of the one that came first with this key. Rejects with AppError: `idempotency_key_reused` when the key
   * came with another operation or body; `idempotency_key_in_use` (conflict) while the first one is under way; and as `work` does.
   */
  async once<Reply extends Readonly<Record<string, unknown>>>(
    caller: Caller,
    { project_id, key, operation, body }: KeyedRequest,
    work: (identity: WriteIdentity) => Promise<Reply>,
  ): Promise<OnceReply<Reply>> {
    const { ingestBatchStore, authorizer, sha256, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'log_data');
    const digest = computeDigest(`${operation}\n${JSON.stringify(body)}`, sha256);
    const now = clock();
    const lapsed_before = new Date(now.getTime() - CLAIM_MS).toISOString();
    const claim = await ingestBatchStore.claim({ project_id, key, digest, received_at: now.toISOString(), lapsed_before });
    if (claim.kind === 'known') return { reply: toReply(claim.batch, digest) as Reply, is_replayed: true };
    const identity = identityOf(project_id, key, claim.received_at, sha256);
    return { reply: await this.#attempt({ project_id, key }, () => work(identity)), is_replayed: false };
  }

  /** Throws AppError `batch_not_found` for a key that did not come, or more than a day ago. */
  async find(caller: Caller, project_id: string, key: string): Promise<IngestBatch> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const found = await this.#deps.ingestBatchStore.find({ project_id, key });
    if (!found) throw new AppError('not_found', 'batch_not_found', `no batch with the key ${key} arrived within a day`);
    const { digest: _, ...batch } = found;
    return batch;
  }

  async removeExpired(): Promise<{ more: boolean }> {
    const { ingestBatchStore, clock } = this.#deps;
    const before = new Date(clock().getTime() - BATCH_KEPT_MS).toISOString();
    return { more: (await ingestBatchStore.removeBefore(before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE };
  }

  /** A refusal wrote nothing, so the key is free again; after any other failure something may have been written under this identity. */
  async #attempt<Reply extends Readonly<Record<string, unknown>>>(batch: BatchKey, work: () => Promise<Reply>): Promise<Reply> {
    const { ingestBatchStore, clock } = this.#deps;
    try {
      const reply = await work();
      await ingestBatchStore.complete(batch, reply, clock().toISOString());
      return reply;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.kind !== 'unavailable';
      // Where the ledger cannot be reached either, the claim lapses by itself.
      await (isRefusal ? ingestBatchStore.forget(batch) : ingestBatchStore.giveUp(batch)).catch(() => {});
      throw error;
    }
  }
}

function toReply({ key, digest: known, reply }: StoredBatch, digest: string): Readonly<Record<string, unknown>> {
  if (known !== digest)
    throw new AppError('invalid', 'idempotency_key_reused', `the key ${key} came with another request before`, {
      issues: [{ loc: ['header', 'Idempotency-Key'], msg: 'the key came with another request', type: 'idempotency_key_reused' }],
    });
  if (reply) return reply;
  throw new AppError('conflict', 'idempotency_key_in_use', `a request with the key ${key} is under way`, {
    retryAfterSeconds: 1,
  });
}
