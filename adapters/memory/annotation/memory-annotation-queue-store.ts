import type { AnnotationQueue, StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueStore, EndOfItem } from '../../../core/annotation/annotation-queue-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Item {
  readonly record_id: string;
  readonly status: 'pending' | EndOfItem['status'];
  readonly claimed_by?: string;
  readonly claimed_until?: string;
}

export class MemoryAnnotationQueueStore implements AnnotationQueueStore {
  readonly #database: MemoryDatabase;
  readonly #queues: Table<string, { readonly queue: StoredQueue; readonly items: Table<string, Item> }>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#database = database;
    this.#queues = database.table();
  }

  async insert(queue: StoredQueue): Promise<void> {
    this.#queues.set(queue.id, { queue: structuredClone(queue), items: this.#database.table() });
  }

  async list(project_id: string): Promise<AnnotationQueue[]> {
    const found = [...this.#queues.keys()].flatMap((id) => this.#counted(project_id, id) ?? []);
    return found.sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
  }

  async find(project_id: string, id: string): Promise<AnnotationQueue | undefined> {
    return this.#counted(project_id, id);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return this.#counted(project_id, id) !== undefined && this.#queues.delete(id);
  }

  async addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number> {
    const items = this.#find(project_id, queue_id)?.items;
    const fresh = [...new Set(record_ids)].filter((id) => items && !items.has(id));
    for (const record_id of fresh) items?.set(record_id, { record_id, status: 'pending' });
    return fresh.length;
  }

  async claim(project_id: string, queue_id: string, annotator_id: string, now: string, until: string) {
    const pending = this.#toItems(project_id, queue_id).filter(({ status }) => status === 'pending');
    const own = pending.find(({ claimed_by }) => claimed_by === annotator_id);
    const next = own ?? pending.find(({ claimed_until }) => claimed_until === undefined || claimed_until <= now);
    const claimed = { claimed_by: annotator_id, claimed_until: until };
    if (next) this.#find(project_id, queue_id)?.items.set(next.record_id, { ...next, ...claimed });
    return next?.record_id;
  }

  async end(project_id: string, queue_id: string, record_id: string, { status }: EndOfItem): Promise<boolean> {
    const item = this.#toItems(project_id, queue_id).find((one) => one.record_id === record_id && one.status === 'pending');
    if (item) this.#find(project_id, queue_id)?.items.set(record_id, { ...item, status });
    return item !== undefined;
  }

  async listDone(project_id: string, queue_id: string, { offset, limit }: Slice): Promise<string[]> {
    const done = this.#toItems(project_id, queue_id).filter(({ status }) => status === 'done');
    return done.slice(offset, offset + limit).map(({ record_id }) => record_id);
  }

  #toItems(project_id: string, queue_id: string): Item[] {
    return [...(this.#find(project_id, queue_id)?.items.values() ?? [])];
  }

  #find(project_id: string, id: string) {
    const kept = this.#queues.get(id);
    return kept?.queue.project_id === project_id ? kept : undefined;
  }

  #counted(project_id: string, id: string): AnnotationQueue | undefined {
    const kept = this.#find(project_id, id);
    if (!kept) return undefined;
    const items = [...kept.items.values()];
    const count = (wanted: Item['status']): number => items.filter(({ status }) => status === wanted).length;
    return {
      ...structuredClone(kept.queue),
      num_pending: count('pending'),
      num_done: count('done'),
      num_skipped: count('skipped'),
    };
  }
}
