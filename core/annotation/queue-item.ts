import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { compareText } from '../kernel/query/sort.ts';
import type { AnnotationTemplate } from '../ratings/annotation-template.ts';
import type { RatingValue } from '../ratings/rating.ts';
import type { Annotation } from '../ratings/rating-store.ts';
import type { StoredQueue } from './annotation-queue.ts';

export const ItemStatus = z
  .enum(['pending', 'review', 'done', 'skipped'])
  .describe('`pending`: lacks answers; `review`: has them and waits for a reviewer.');
export type ItemStatus = z.output<typeof ItemStatus>;

const Assignment = z.object({
  annotator_id: z.string(),
  role: z.enum(['annotator', 'reviewer']),
  status: z.enum(['reserved', 'answered', 'skipped']),
  reserved_until: z.string().nullable(),
  skip_reason: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type StoredAssignment = z.output<typeof Assignment>;

/** A record of a queue, and who does or did what about it. */
export const QueueItem = z.object({
  record_id: z.string(),
  status: ItemStatus,
  judge_disagreement: z
    .number()
    .nullable()
    .describe('Of the judges of the scorer that the queue names, when the record came in; null where there is none.'),
  assignments: z.array(Assignment),
});
export type QueueItem = z.output<typeof QueueItem>;

export interface Reservation {
  readonly record_id: string;
  readonly reserved_until: string;
}

export const AnnotatorCounts = z
  .object({
    annotator_id: z.string(),
    num_reserved: z.int(),
    num_answered: z.int(),
    num_skipped: z.int(),
    num_reviewed: z.int(),
    last_at: z.string().nullable().describe('When they last answered, skipped or reviewed a record.'),
  })
  .meta({ id: 'AnnotatorProgress' });
export type AnnotatorCounts = z.output<typeof AnnotatorCounts>;

export const itemNotFound = (record_id: string): AppError =>
  new AppError('not_found', 'annotation_item_not_found', `record ${record_id} does not wait in this queue`);

/** Throws AppError `conflict` when as many others as are wanted answer the record, or have it reserved. */
export function refuseReserved(
  queue: StoredQueue,
  item: QueueItem,
  role: StoredAssignment['role'],
  by: string,
  now: string,
): void {
  const isTaken = ({ annotator_id, role: of, status, reserved_until }: StoredAssignment): boolean =>
    annotator_id !== by && of === role && (status === 'answered' || (status === 'reserved' && (reserved_until ?? '') > now));
  if (item.assignments.filter(isTaken).length < (role === 'reviewer' ? 1 : queue.answers_required)) return;
  throw new AppError('conflict', 'annotation_item_reserved', `record ${item.record_id} is reserved by others`);
}

/**
 * Says how far a record is once its annotators have answered or skipped it: skipped as soon as it cannot get all its answers any
 * more, by as many who skipped it as had to answer it, or as the assignees can do without.
 */
export function toProgress(queue: StoredQueue, assignments: readonly StoredAssignment[]): 'pending' | 'answered' | 'skipped' {
  const { answers_required, assignee_ids } = queue;
  const count = (status: StoredAssignment['status']): number =>
    assignments.filter((one) => one.role === 'annotator' && one.status === status).length;
  if (count('answered') >= answers_required) return 'answered';
  const spare = assignee_ids.length === 0 ? Infinity : assignee_ids.length - answers_required;
  return count('skipped') >= Math.max(1, Math.min(answers_required, spare + 1)) ? 'skipped' : 'pending';
}

/** Whether the answers to one of the questions differ. Of free texts there are as many as raters: they are no disagreement. */
export function isDisputed(templates: readonly AnnotationTemplate[], answers: readonly Annotation[]): boolean {
  return templates.some(({ id, annotation_type }) => {
    const given = answers.filter(({ template_id }) => template_id === id).map(({ value }) => toComparable(value));
    return annotation_type !== 'text' && new Set(given).size > 1;
  });
}

const toComparable = (value: RatingValue): string =>
  JSON.stringify(typeof value === 'object' ? [...new Set(value)].sort(compareText) : value);
