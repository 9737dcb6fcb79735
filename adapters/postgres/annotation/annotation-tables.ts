import { defineEntity, p } from '@mikro-orm/core';
import type { StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const AnnotationQueueTable = defineEntity({
  name: 'AnnotationQueueRow',
  tableName: 'annotation_queues',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid(),
    name: text(),
    template_ids: jsonb<string[]>(),
    assignee_ids: jsonb<string[]>(),
    reviewer_ids: jsonb<string[]>(),
    answers_required: p.integer(),
    review: text(),
    order_by: text(),
    judge_disagreement: jsonb<NonNullable<StoredQueue['judge_disagreement']>>().nullable(),
    reservation_seconds: p.integer(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
  },
});

export const AnnotationItemTable = defineEntity({
  name: 'AnnotationItemRow',
  tableName: 'annotation_items',
  properties: {
    project_id: uuid().primary(),
    queue_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid(),
    position: p.integer(),
    status: text(),
    record_created_at: timestamp().nullable(),
    judge_disagreement: p.double().nullable(),
  },
  indexes: [
    { name: 'annotation_items_next_index', properties: ['project_id', 'queue_id', 'status', 'position'] },
    { name: 'annotation_items_record_index', properties: ['project_id', 'record_id'] },
  ],
});

/** One person's part in one record of a queue. */
export const AnnotationAssignmentTable = defineEntity({
  name: 'AnnotationAssignmentRow',
  tableName: 'annotation_assignments',
  properties: {
    project_id: uuid().primary(),
    queue_id: uuid().primary(),
    record_id: uuid().primary(),
    annotator_id: uuid().primary(),
    run_id: uuid(),
    role: text(),
    status: text(),
    reserved_until: timestamp().nullable(),
    skip_reason: text().nullable(),
    ended_at: timestamp().nullable(),
  },
});

export const annotationTables = [AnnotationQueueTable, AnnotationItemTable, AnnotationAssignmentTable];
