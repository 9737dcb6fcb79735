import type { Slice } from '../kernel/query/page.ts';
import type { AnnotationQueue, StoredQueue } from './annotation-queue.ts';
import type { AnnotatorCounts, ItemStatus, QueueItem, Reservation, StoredAssignment } from './queue-item.ts';

/** Who asks for a record, what for, and when. */
export interface ReservationRequest {
  readonly annotator_id: string;
  readonly role: StoredAssignment['role'];
  readonly now: string;
  readonly until: string;
}

export type QueueChanges = Partial<
  Pick<StoredQueue, 'name' | 'assignee_ids' | 'reviewer_ids' | 'order_by' | 'judge_disagreement' | 'reservation_seconds'>
>;

export interface DisagreementRule {
  readonly queue_id: string;
  readonly scorer_id: string;
  readonly above: number;
}

/** Work of the people of a queue. */
export interface QueueWork {
  readonly annotators: readonly AnnotatorCounts[];
  /** The reasons that were given most often, with how often; null stands for none. */
  readonly skip_reasons: readonly { readonly reason: string | null; readonly count: number }[];
}

/**
 * Records that wait for their annotators. An assignment is one person's part in one record: reserved, then answered or skipped.
 *
 * Items go with their record and with their queue, assignments with their item.
 */
export interface AnnotationQueueStore {
  insert(queue: StoredQueue): Promise<void>;
  /** Newest first. */
  list(project_id: string): Promise<AnnotationQueue[]>;
  find(project_id: string, id: string): Promise<AnnotationQueue | undefined>;
  /** False when there is no such queue. */
  update(project_id: string, id: string, changes: QueueChanges): Promise<boolean>;
  /** With its items. */
  remove(project_id: string, id: string): Promise<boolean>;

  /** Queues of a run that records come into by the disagreement of judges, in no order. */
  listDisagreementRules(project_id: string, run_id: string): Promise<DisagreementRule[]>;
  /**
   * Behind what is there; records that are in the queue already are passed by. Each keeps how far the judges of the queue's scorer
   * disagree about it now. Returns how many came in.
   */
  addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number>;
  removeItem(project_id: string, queue_id: string, record_id: string): Promise<boolean>;

  /**
   * Reserves the next record in the order of the queue: of those that lack answers for annotators, of those in review for reviewers.
   * One that the person has reserved already comes first, and is theirs for longer. Passed by are records that the person has answered
   * or skipped, and those whose answers and live reservations are as many as are wanted: `answers_required`, of reviewers one. However
   * many ask at once, no more get the record.
   */
  reserve(project_id: string, queue_id: string, request: ReservationRequest): Promise<Reservation | undefined>;
  /** Ends a reservation before its time. False when the person has none on the record. */
  release(project_id: string, queue_id: string, record_id: string, annotator_id: string): Promise<boolean>;

  /** Reads an item, and holds the queue to the end of the transaction: nobody reserves or ends an item of it meanwhile. */
  lockItem(project_id: string, queue_id: string, record_id: string): Promise<QueueItem | undefined>;
  /** Writes one person's part; takes the place of what they had on the record. To be called while the queue is held. */
  putAssignment(project_id: string, queue_id: string, record_id: string, assignment: StoredAssignment): Promise<void>;
  setStatus(project_id: string, queue_id: string, record_id: string, status: ItemStatus): Promise<void>;

  /** In the order in which they were added, of a status or all. */
  listItems(project_id: string, queue_id: string, status: ItemStatus | undefined, slice: Slice): Promise<QueueItem[]>;
  /** Who answered what as an annotator, in no order. */
  listAnswered(project_id: string, queue_id: string): Promise<{ readonly record_id: string; readonly annotator_id: string }[]>;
  /** By annotator id; at most `limit` reasons. Reservations that have expired by `now` do not count. */
  countWork(project_id: string, queue_id: string, now: string, limit: number): Promise<QueueWork>;
}
