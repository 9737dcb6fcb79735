import type { AnnotationQueue, StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type {
  AnnotationQueueStore,
  DisagreementRule,
  QueueChanges,
  QueueWork,
  ReservationRequest,
} from '../../../core/annotation/annotation-queue-store.ts';
import type { ItemStatus, QueueItem, Reservation, StoredAssignment } from '../../../core/annotation/queue-item.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Item extends QueueItem {
  readonly record_created_at: string | null;
}

interface Kept {
  readonly queue: StoredQueue;
  readonly items: Table<string, Item>;
}

export interface MemoryAnnotationQueueDeps {
  readonly database: MemoryDatabase;
  /** Null where there is no such record. */
  toCreatedAt(project_id: string, run_id: string, record_id: string): Promise<string | null>;
  /** How far the judges of the scorer's newest score disagree; null where there is none. */
  toDisagreement(project_id: string, run_id: string, record_id: string, scorer_id: string): Promise<number | null>;
}

export class MemoryAnnotationQueueStore implements AnnotationQueueStore {
  readonly #deps: MemoryAnnotationQueueDeps;
  readonly #queues: Table<string, Kept>;

  constructor(deps: MemoryAnnotationQueueDeps) {
    this.#deps = deps;
    this.#queues = deps.database.table();
  }

  async insert(queue: StoredQueue): Promise<void> {
    this.#queues.set(queue.id, { queue: structuredClone(queue), items: this.#deps.database.table() });
  }

  async list(project_id: string): Promise<AnnotationQueue[]> {
    const found = [...this.#queues.keys()].flatMap((id) => this.#counted(project_id, id) ?? []);
    return found.sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
  }

  async find(project_id: string, id: string): Promise<AnnotationQueue | undefined> {
    return this.#counted(project_id, id);
  }

  async update(project_id: string, id: string, changes: QueueChanges): Promise<boolean> {
    const kept = this.#find(project_id, id);
    if (kept) this.#queues.set(id, { ...kept, queue: structuredClone({ ...kept.queue, ...changes }) });
    return kept !== undefined;
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    return this.#find(project_id, id) !== undefined && this.#queues.delete(id);
  }

  async listDisagreementRules(project_id: string, run_id: string): Promise<DisagreementRule[]> {
    return [...this.#queues.values()].flatMap(({ queue }) =>
      queue.project_id === project_id && queue.run_id === run_id && queue.judge_disagreement
        ? [{ queue_id: queue.id, ...queue.judge_disagreement }]
        : [],
    );
  }

  async addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number> {
    const kept = this.#find(project_id, queue_id);
    if (!kept) return 0;
    const { queue, items } = kept;
    const wanted = [...new Set(record_ids)];
    const facts = await Promise.all(wanted.map((id) => this.#toFacts(queue, id)));
    const fresh = facts.filter(({ record_id }) => !items.has(record_id));
    for (const item of fresh) items.set(item.record_id, { ...item, status: 'pending', assignments: [] });
    return fresh.length;
  }

  async removeItem(project_id: string, queue_id: string, record_id: string): Promise<boolean> {
    return this.#find(project_id, queue_id)?.items.delete(record_id) ?? false;
  }

  /** Of some records, of a run, or of a whole project; of the latter two with the queues. */
  removeAll(project_id: string, run_id?: string, record_ids?: readonly string[]): void {
    for (const [id, { queue, items }] of this.#queues) {
      if (queue.project_id !== project_id || (run_id ?? queue.run_id) !== queue.run_id) continue;
      if (record_ids === undefined) this.#queues.delete(id);
      else for (const record_id of record_ids) items.delete(record_id);
    }
  }

  async reserve(
    project_id: string,
    queue_id: string,
    { annotator_id, role, now, until }: ReservationRequest,
  ): Promise<Reservation | undefined> {
    const kept = this.#find(project_id, queue_id);
    if (!kept) return undefined;
    const { queue, items } = kept;
    const ofOwn = (item: Item) => item.assignments.find((one) => one.annotator_id === annotator_id);
    const slots = role === 'reviewer' ? 1 : queue.answers_required;
    const isFree = (item: Item): boolean =>
      item.status === (role === 'reviewer' ? 'review' : 'pending') &&
      (ofOwn(item)?.status ?? 'reserved') === 'reserved' &&
      item.assignments.filter(
        (one) => one.annotator_id !== annotator_id && one.role === role && (one.status === 'answered' || isLive(one, now)),
      ).length < slots;
    const free = toOrdered([...items.values()].filter(isFree), queue.order_by);
    const next = free.find(ofOwn) ?? free[0];
    if (!next) return undefined;
    const facts = { reserved_until: until, skip_reason: null, ended_at: null };
    items.set(next.record_id, withAssignment(next, { annotator_id, role, status: 'reserved', ...facts }));
    return { record_id: next.record_id, reserved_until: until };
  }

  async release(project_id: string, queue_id: string, record_id: string, annotator_id: string): Promise<boolean> {
    const items = this.#find(project_id, queue_id)?.items;
    const item = items?.get(record_id);
    const isOwn = (one: StoredAssignment): boolean => one.annotator_id === annotator_id && one.status === 'reserved';
    if (!item?.assignments.some(isOwn)) return false;
    items?.set(record_id, { ...item, assignments: item.assignments.filter((one) => !isOwn(one)) });
    return true;
  }

  async lockItem(project_id: string, queue_id: string, record_id: string): Promise<QueueItem | undefined> {
    this.#deps.database.hold();
    const item = this.#find(project_id, queue_id)?.items.get(record_id);
    return item && toItem(item);
  }

  async putAssignment(project_id: string, queue_id: string, record_id: string, assignment: StoredAssignment): Promise<void> {
    const items = this.#find(project_id, queue_id)?.items;
    const item = items?.get(record_id);
    if (item) items?.set(record_id, withAssignment(item, assignment));
  }

  async setStatus(project_id: string, queue_id: string, record_id: string, status: ItemStatus): Promise<void> {
    const items = this.#find(project_id, queue_id)?.items;
    const item = items?.get(record_id);
    if (item) items?.set(record_id, { ...item, status });
  }

  async listItems(
    project_id: string,
    queue_id: string,
    status: ItemStatus | undefined,
    { offset, limit }: Slice,
  ): Promise<QueueItem[]> {
    const items = this.#toItems(project_id, queue_id).filter((item) => (status ?? item.status) === item.status);
    return items.slice(offset, offset + limit).map(toItem);
  }

  async listAnswered(project_id: string, queue_id: string) {
    return this.#toItems(project_id, queue_id).flatMap(({ record_id, assignments }) =>
      assignments
        .filter(({ role, status }) => role === 'annotator' && status === 'answered')
        .map(({ annotator_id }) => ({ record_id, annotator_id })),
    );
  }

  async countWork(project_id: string, queue_id: string, now: string, limit: number): Promise<QueueWork> {
    const all = this.#toItems(project_id, queue_id).flatMap(({ assignments }) => assignments);
    const byAnnotator = [...Map.groupBy(all, ({ annotator_id }) => annotator_id)].sort(([a], [b]) => compareText(a, b));
    const skipped = all.filter(({ status }) => status === 'skipped');
    const reasons = [...Map.groupBy(skipped, ({ skip_reason }) => skip_reason)].map(([reason, { length: count }]) => ({
      reason,
      count,
    }));
    const byCount = reasons.sort((a, b) => b.count - a.count || compareText(a.reason ?? '', b.reason ?? ''));
    return {
      annotators: byAnnotator.map(([annotator_id, own]) => ({ annotator_id, ...toCounts(own, now) })),
      skip_reasons: byCount.slice(0, limit),
    };
  }

  async #toFacts({ project_id, run_id, judge_disagreement: rule }: StoredQueue, record_id: string) {
    const { toCreatedAt, toDisagreement } = this.#deps;
    return {
      record_id,
      record_created_at: await toCreatedAt(project_id, run_id, record_id),
      judge_disagreement: rule ? await toDisagreement(project_id, run_id, record_id, rule.scorer_id) : null,
    };
  }

  #toItems(project_id: string, queue_id: string): Item[] {
    return [...(this.#find(project_id, queue_id)?.items.values() ?? [])];
  }

  #find(project_id: string, id: string): Kept | undefined {
    const kept = this.#queues.get(id);
    return kept?.queue.project_id === project_id ? kept : undefined;
  }

  #counted(project_id: string, id: string): AnnotationQueue | undefined {
    const kept = this.#find(project_id, id);
    if (!kept) return undefined;
    const items = [...kept.items.values()];
    const count = (wanted: ItemStatus): number => items.filter(({ status }) => status === wanted).length;
    return {
      ...structuredClone(kept.queue),
      num_pending: count('pending'),
      num_in_review: count('review'),
      num_done: count('done'),
      num_skipped: count('skipped'),
    };
  }
}

const isLive = ({ status, reserved_until }: StoredAssignment, now: string): boolean =>
  status === 'reserved' && (reserved_until ?? '') > now;

const withAssignment = (item: Item, assignment: StoredAssignment): Item => ({
  ...item,
  assignments: [...item.assignments.filter(({ annotator_id }) => annotator_id !== assignment.annotator_id), { ...assignment }],
});

const toItem = ({ record_id, status, judge_disagreement, assignments }: Item): QueueItem => ({
  record_id,
  status,
  judge_disagreement,
  assignments: assignments.map((one) => ({ ...one })).sort((a, b) => compareText(a.annotator_id, b.annotator_id)),
});

/** Stable: records of one time, and those whose time is unknown, stay in the order in which they were added. */
function toOrdered(items: readonly Item[], order: StoredQueue['order_by']): readonly Item[] {
  if (order === 'added') return items;
  if (order === 'judge_disagreement')
    return items.toSorted((a, b) => (b.judge_disagreement ?? -1) - (a.judge_disagreement ?? -1));
  const sign = order === 'oldest' ? 1 : -1;
  return items.toSorted((a, b) => {
    if (a.record_created_at === null || b.record_created_at === null)
      return Number(a.record_created_at === null) - Number(b.record_created_at === null);
    return sign * compareText(a.record_created_at, b.record_created_at);
  });
}

function toCounts(own: readonly StoredAssignment[], now: string) {
  const count = (role: StoredAssignment['role'], status: StoredAssignment['status']): number =>
    own.filter((one) => one.role === role && one.status === status).length;
  return {
    num_reserved: own.filter((one) => isLive(one, now)).length,
    num_answered: count('annotator', 'answered'),
    num_skipped: own.filter(({ status }) => status === 'skipped').length,
    num_reviewed: count('reviewer', 'answered'),
    last_at:
      own
        .flatMap(({ ended_at }) => ended_at ?? [])
        .sort(compareText)
        .at(-1) ?? null,
  };
}
