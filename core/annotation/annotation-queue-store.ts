import type { Slice } from '../kernel/query/page.ts';
import type { AnnotationQueue, StoredQueue } from './annotation-queue.ts';

export interface EndOfItem {
  readonly status: 'done' | 'skipped';
  readonly ended_by: string;
  readonly ended_at: string;
}

/** Records that wait for their annotators. */
export interface AnnotationQueueStore {
  insert(queue: StoredQueue): Promise<void>;
  /** Newest first. */
  list(project_id: string): Promise<AnnotationQueue[]>;
  find(project_id: string, id: string): Promise<AnnotationQueue | undefined>;
  /** With its items. */
  remove(project_id: string, id: string): Promise<boolean>;
  /** Behind what is there; records that are in the queue already are passed by. Returns how many came in. */
  addItems(project_id: string, queue_id: string, record_ids: readonly string[]): Promise<number>;
  /**
   * The first pending record that nobody else has claimed until later than `now`, claimed for the annotator until `until`;
   * one that the annotator has claimed already comes first. Two annotators never get the same one.
   */
  claim(project_id: string, queue_id: string, annotator_id: string, now: string, until: string): Promise<string | undefined>;
  /** False when the queue has no such item, or it has ended. */
  end(project_id: string, queue_id: string, record_id: string, end: EndOfItem): Promise<boolean>;
  /** Records that are done, in the order of the queue. */
  listDone(project_id: string, queue_id: string, slice: Slice): Promise<string[]>;
}
