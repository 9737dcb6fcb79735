import type { QueueProgress } from '../../core/annotation/annotation-progress-service.ts';
import type { AnnotationQueue } from '../../core/annotation/annotation-queue.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import type { RatingView } from '../../core/ratings/rating-views.ts';
import { worded } from '../kit/choice.tsx';

export interface TaskRecord extends RatingView {
  readonly id: string;
  readonly trace_id: string;
  readonly type: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly output: JsonValue;
}

export interface Task {
  readonly record: TaskRecord | null;
  readonly reserved_until: string | null;
  readonly templates: readonly AnnotationTemplate[];
}

export interface QueueView {
  readonly queue: AnnotationQueue;
  readonly progress: QueueProgress;
}

export type Part = 'annotate' | 'review' | 'records' | 'progress';

export const ORDER = worded({
  added: 'As added',
  oldest: 'Oldest first',
  newest: 'Newest first',
  judge_disagreement: 'Judges disagree most',
});

export const queuesPath = (project_id: string): string => `/projects/${project_id}/annotation`;
export const queueApi = (project_id: string, queue_id: string): string => `/projects/${project_id}/annotation_queues/${queue_id}`;

export const toShareDone = ({ num_pending, num_in_review, num_done, num_skipped }: AnnotationQueue): number => {
  const all = num_pending + num_in_review + num_done + num_skipped;
  return all === 0 ? 0 : (num_done + num_skipped) / all;
};
