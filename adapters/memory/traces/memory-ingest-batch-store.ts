import type {
  BatchClaim,
  BatchKey,
  IngestBatchStore,
  NewBatch,
  StoredBatch,
} from '../../../core/traces/batches/ingest-batch-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Row extends StoredBatch {
  /** Of the claim that holds. */
  readonly claimed_at: string | undefined;
}

export class MemoryIngestBatchStore implements IngestBatchStore {
  readonly #batches: Table<string, Row>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#batches = database.table();
  }

  async claim({ lapsed_before, ...batch }: NewBatch): Promise<BatchClaim> {
    const known = this.#batches.get(toId(batch));
    const isOurs =
      !known || (known.digest === batch.digest && known.stored_at === null && (known.claimed_at ?? '') < lapsed_before);
    if (!isOurs) return { kind: 'known', batch: shown(known) };
    const blank = { ...batch, status: 'pending', stored_at: null, reply: null } as const;
    this.#batches.set(toId(batch), { ...(known ?? blank), claimed_at: batch.received_at });
    return { kind: 'claimed', received_at: (known ?? batch).received_at };
  }

  async complete(key: BatchKey, reply: Readonly<Record<string, unknown>>, stored_at: string): Promise<void> {
    this.#change(key, { status: 'stored', reply: structuredClone(reply), stored_at, claimed_at: undefined });
  }

  async giveUp(key: BatchKey): Promise<void> {
    this.#change(key, { claimed_at: undefined });
  }

  async forget(key: BatchKey): Promise<void> {
    if (this.#batches.get(toId(key))?.stored_at === null) this.#batches.delete(toId(key));
  }

  async find(key: BatchKey): Promise<StoredBatch | undefined> {
    const row = this.#batches.get(toId(key));
    return row && shown(row);
  }

  async removeBefore(time: string, limit: number): Promise<number> {
    const old = [...this.#batches.entries()].filter(([, { received_at }]) => received_at < time).slice(0, limit);
    for (const [id] of old) this.#batches.delete(id);
    return old.length;
  }

  /** Of a project that is deleted. */
  remove(project_id: string): void {
    for (const [id, batch] of [...this.#batches.entries()]) if (batch.project_id === project_id) this.#batches.delete(id);
  }

  #change(key: BatchKey, changes: Partial<Row>): void {
    const row = this.#batches.get(toId(key));
    if (row?.stored_at === null) this.#batches.set(toId(key), { ...row, ...changes });
  }
}

const toId = ({ project_id, key }: BatchKey): string => `${project_id} ${key}`;

const shown = ({ claimed_at: _, ...batch }: Row): StoredBatch => structuredClone(batch);
