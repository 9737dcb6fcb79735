import type { AnnotationQueue, StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueStore, EndOfItem } from '../../../core/annotation/annotation-queue-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';

interface Item {
  readonly record_id: string;
  status: 'pending' | EndOfItem['status'];
  claimed_by?: string;
  claimed_until?: string;
}

export class MemoryAnnotationQueueStore implements AnnotationQueueStore {
  readonly #queues = new Map<string, { readonly queue: StoredQueue; readonly items: Item[] }>();

  async insert(queue: StoredQueue): Promise<void> {
    this.#queues.set(queue.id, { queue: structuredClone(queue), items: [] });
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
    const items = this.#toItems(project_id, queue_id);
    const fresh = [...new Set(record_ids)].filter((id) => !items.some(({ record_id }) => record_id === id));
    items.push(...fresh.map((record_id): Item => ({ record_id, status: 'pending' })));
    return fresh.length;
  }

  async claim(project_id: string, queue_id: string, annotator_id: string, now: string, until: string) {
    const pending = this.#toItems(project_id, queue_id).filter(({ status }) => status === 'pending');
    const own = pending.find(({ claimed_by }) => claimed_by === annotator_id);
    const next = own ?? pending.find(({ claimed_until }) => claimed_until === undefined || claimed_until <= now);
    if (next) Object.assign(next, { claimed_by: annotator_id, claimed_until: until });
    return next?.record_id;
  }

  async end(project_id: string, queue_id: string, record_id: string, { status }: EndOfItem): Promise<boolean> {
    const item = this.#toItems(project_id, queue_id).find((one) => one.record_id === record_id && one.status === 'pending');
    if (item) item.status = status;
    return item !== undefined;
  }

  async listDone(project_id: string, queue_id: string, { offset, limit }: Slice): Promise<string[]> {
    const done = this.#toItems(project_id, queue_id).filter(({ status }) => status === 'done');
    return done.slice(offset, offset + limit).map(({ record_id }) => record_id);
  }

  #toItems(project_id: string, queue_id: string): Item[] {
    const kept = this.#queues.get(queue_id);
    return kept?.queue.project_id === project_id ? kept.items : [];
  }

  #counted(project_id: string, id: string): AnnotationQueue | undefined {
    const kept = this.#queues.get(id);
    if (kept?.queue.project_id !== project_id) return undefined;
    const count = (wanted: Item['status']): number => kept.items.filter(({ status }) => status === wanted).length;
    return {
      ...structuredClone(kept.queue),
      num_pending: count('pending'),
      num_done: count('done'),
      num_skipped: count('skipped'),
    };
  }
}
