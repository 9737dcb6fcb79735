import type { AnnotationQueue, StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type {
  AnnotationQueueStore,
  DisagreementRule,
  QueueChanges,
  QueueWork,
  ReservationRequest,
} from '../../../core/annotation/annotation-queue-store.ts';
import type {
  AnnotatorCounts,
  ItemStatus,
  QueueItem,
  Reservation,
  StoredAssignment,
} from '../../../core/annotation/queue-item.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { ADD, COUNTED, ITEMS, LOCK_QUEUE, PUT_ASSIGNMENT, RESERVE, SKIP_REASONS, WORK } from './annotation-queue-sql.ts';
import { AnnotationAssignmentTable, AnnotationItemTable, AnnotationQueueTable } from './annotation-tables.ts';

export class PostgresAnnotationQueueStore implements AnnotationQueueStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert(queue: StoredQueue): Promise<void> {
    const { template_ids, assignee_ids, reviewer_ids } = queue;
    const lists = { template_ids: [...template_ids], assignee_ids: [...assignee_ids], reviewer_ids: [...reviewer_ids] };
    await this.#session.em.insert(AnnotationQueueTable, { ...queue, ...lists });
  }

  async list(project_id: string): Promise<AnnotationQueue[]> {
    return (await this.#session.sql<AnnotationQueue>(COUNTED, [project_id, null])).map(inUtc);
  }

  async find(project_id: string, id: string): Promise<AnnotationQueue | undefined> {
    const [row] = await this.#session.sql<AnnotationQueue>(COUNTED, [project_id, id]);
    return row && inUtc(row);
  }

  async update(project_id: string, id: string, changes: QueueChanges): Promise<boolean> {
    return (await this.#session.em.nativeUpdate(AnnotationQueueTable, { project_id, id }, changes)) > 0;
  }

  remove(project_id: string, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(AnnotationQueueTable, { project_id, id });
      await this.#session.em.nativeDelete(AnnotationAssignmentTable, { project_id, queue_id: id });
      await this.#session.em.nativeDelete(AnnotationItemTable, { project_id, queue_id: id });
      return found > 0;
    });
  }

  listDisagreementRules(project_id: string, run_id: string): Promise<DisagreementRule[]> {
    return this.#session.sql<DisagreementRule>(
      `select id as queue_id, judge_disagreement ->> 'scorer_id' as scorer_id, (judge_disagreement ->> 'above')::double precision as above
       from annotation_queues where project_id = $1 and run_id = $2 and judge_disagreement is not null`,
      [project_id, run_id],
    );
  }

  async addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number> {
    const [row] = await this.#session.sql<{ added: number }>(ADD, [project_id, queue_id, [...new Set(record_ids)]]);
    return row!.added;
  }

  removeItem(project_id: string, queue_id: string, record_id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(AnnotationItemTable, { project_id, queue_id, record_id });
      await this.#session.em.nativeDelete(AnnotationAssignmentTable, { project_id, queue_id, record_id });
      return found > 0;
    });
  }

  reserve(project_id: string, queue_id: string, request: ReservationRequest): Promise<Reservation | undefined> {
    const { annotator_id, role, now, until } = request;
    const status = role === 'reviewer' ? 'review' : 'pending';
    return this.#session.run(async () => {
      await this.#session.sql(LOCK_QUEUE, [project_id, queue_id]);
      const wanted = [project_id, queue_id, annotator_id, role, status, now, until];
      const [row] = await this.#session.sql<Reservation>(RESERVE, wanted);
      return row && { record_id: row.record_id, reserved_until: utc(row.reserved_until) };
    });
  }

  async release(project_id: string, queue_id: string, record_id: string, annotator_id: string): Promise<boolean> {
    const own = { project_id, queue_id, record_id, annotator_id, status: 'reserved' };
    return (await this.#session.em.nativeDelete(AnnotationAssignmentTable, own)) > 0;
  }

  async lockItem(project_id: string, queue_id: string, record_id: string): Promise<QueueItem | undefined> {
    await this.#session.sql(LOCK_QUEUE, [project_id, queue_id]);
    const [row] = await this.#session.sql<QueueItem>(ITEMS, [project_id, queue_id, record_id, null, 0, 1]);
    return row && toItem(row);
  }

  async putAssignment(project_id: string, queue_id: string, record_id: string, assignment: StoredAssignment): Promise<void> {
    const { annotator_id, role, status, reserved_until, skip_reason, ended_at } = assignment;
    const key = [project_id, queue_id, record_id, annotator_id];
    await this.#session.sql(PUT_ASSIGNMENT, [...key, role, status, reserved_until, skip_reason, ended_at]);
  }

  async setStatus(project_id: string, queue_id: string, record_id: string, status: ItemStatus): Promise<void> {
    await this.#session.em.nativeUpdate(AnnotationItemTable, { project_id, queue_id, record_id }, { status });
  }

  async listItems(
    project_id: string,
    queue_id: string,
    status: ItemStatus | undefined,
    { offset, limit }: Slice,
  ): Promise<QueueItem[]> {
    const wanted = [project_id, queue_id, null, status ?? null, offset, limit];
    return (await this.#session.sql<QueueItem>(ITEMS, wanted)).map(toItem);
  }

  listAnswered(project_id: string, queue_id: string) {
    return this.#session.sql<{ record_id: string; annotator_id: string }>(
      `select record_id, annotator_id from annotation_assignments
       where project_id = $1 and queue_id = $2 and role = 'annotator' and status = 'answered'`,
      [project_id, queue_id],
    );
  }

  async countWork(project_id: string, queue_id: string, now: string, limit: number): Promise<QueueWork> {
    const annotators = await this.#session.sql<AnnotatorCounts>(WORK, [project_id, queue_id, now]);
    const skip_reasons = await this.#session.sql<QueueWork['skip_reasons'][number]>(SKIP_REASONS, [project_id, queue_id, limit]);
    return { annotators: annotators.map((one) => ({ ...one, last_at: orNull(one.last_at) })), skip_reasons };
  }
}

const utc = (time: string): string => toUtc(time) ?? time;
const orNull = (time: string | null): string | null => (time === null ? null : utc(time));

const inUtc = (queue: AnnotationQueue): AnnotationQueue => ({ ...queue, created_at: utc(queue.created_at) });

const toItem = ({ record_id, status, judge_disagreement, assignments }: QueueItem): QueueItem => ({
  record_id,
  status,
  judge_disagreement,
  assignments: assignments.map((one) => ({
    ...one,
    reserved_until: orNull(one.reserved_until),
    ended_at: orNull(one.ended_at),
  })),
});
