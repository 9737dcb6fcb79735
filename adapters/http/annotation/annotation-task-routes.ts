import { z } from 'zod';
import {
  type AnnotationProgressService,
  QueueItemPage,
  QueueProgress,
} from '../../../core/annotation/annotation-progress-service.ts';
import {
  AnnotationAnswers,
  AnnotationQueue,
  AnnotationTask,
  TruthExport,
  TruthExported,
} from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationTaskService } from '../../../core/annotation/annotation-task-service.ts';
import { ItemStatus } from '../../../core/annotation/queue-item.ts';
import type { TruthExportService } from '../../../core/annotation/truth-export-service.ts';
import { PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { Agreement } from '../../../core/ratings/rater-agreement.ts';
import { type Route, route } from '../route.ts';
import { QUEUES, QueuePath } from './annotation-queue-routes.ts';

const tag = 'feedback and annotation';
const QUEUE = `${QUEUES}/{queue_id}`;
const ItemPath = z.object({ project_id: Id, queue_id: Id, record_id: Id });
const QuestionPath = z.object({ project_id: Id, queue_id: Id, template_id: Id });

const work = ({ annotationTaskService: service }: Services): Route[] => [
  route({
    method: 'post',
    path: `${QUEUE}/next`,
    operationId: 'nextAnnotationTask',
    summary: 'Reserve the next record for the caller, the same one until its time is over; null when there is none for now.',
    tag,
    params: QueuePath,
    response: AnnotationTask,
    handle: ({ caller, params }) => service.next(caller, params.project_id, params.queue_id, 'annotator'),
  }),
  route({
    method: 'post',
    path: `${QUEUE}/items/{record_id}`,
    operationId: 'answerAnnotationTask',
    summary: 'Answer all templates of the queue about a record, or skip it.',
    tag,
    params: ItemPath,
    body: AnnotationAnswers,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) =>
      service.answer(caller, params.project_id, params.queue_id, 'annotator', params.record_id, body),
  }),
  route({
    method: 'delete',
    path: `${QUEUE}/items/{record_id}/reservation`,
    operationId: 'releaseAnnotationTask',
    summary: 'Hand a reserved record back, so that somebody else gets it.',
    tag,
    params: ItemPath,
    response: AnnotationQueue,
    handle: ({ caller, params }) => service.release(caller, params.project_id, params.queue_id, params.record_id),
  }),
  route({
    method: 'post',
    path: `${QUEUE}/review`,
    operationId: 'nextAnnotationReview',
    summary: 'Reserve the next record that waits for a reviewer, with what its annotators answered.',
    tag,
    params: QueuePath,
    response: AnnotationTask,
    handle: ({ caller, params }) => service.next(caller, params.project_id, params.queue_id, 'reviewer'),
  }),
  route({
    method: 'post',
    path: `${QUEUE}/items/{record_id}/review`,
    operationId: 'reviewAnnotationTask',
    summary: 'Decide a record: these answers count instead of those of its annotators.',
    tag,
    params: ItemPath,
    body: AnnotationAnswers,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) =>
      service.answer(caller, params.project_id, params.queue_id, 'reviewer', params.record_id, body),
  }),
];

const results = ({ annotationProgressService: service, truthExportService }: Services): Route[] => [
  route({
    method: 'get',
    path: `${QUEUE}/items`,
    operationId: 'listAnnotationItems',
    summary: 'The records of a queue, who has them, who answered or skipped them, and why.',
    tag,
    params: QueuePath,
    query: PageQuery.extend({ status: ItemStatus.optional() }),
    response: QueueItemPage,
    handle: ({ caller, params, query }) => service.items(caller, params.project_id, params.queue_id, query),
  }),
  route({
    method: 'get',
    path: `${QUEUE}/progress`,
    operationId: 'getAnnotationProgress',
    summary: 'How far a queue is, by status and by annotator, and why records were skipped.',
    tag,
    params: QueuePath,
    response: QueueProgress,
    handle: ({ caller, params }) => service.progress(caller, params.project_id, params.queue_id),
  }),
  route({
    method: 'get',
    path: `${QUEUE}/annotation_templates/{template_id}/agreement`,
    operationId: 'getAnnotationQueueAgreement',
    summary: 'How far the annotators of a queue agree on a question: alpha and kappas.',
    tag,
    params: QuestionPath,
    response: Agreement,
    handle: ({ caller, params: { project_id, queue_id, template_id } }) =>
      service.agreement(caller, project_id, queue_id, template_id),
  }),
  route({
    method: 'post',
    path: `${QUEUE}/dataset`,
    operationId: 'exportAnnotationTruth',
    summary: 'Append the records that are done to a dataset, with what their annotators agreed on as ground truth.',
    tag,
    params: QueuePath,
    body: TruthExport,
    response: TruthExported,
    handle: ({ caller, params, body }) => truthExportService.export(caller, params.project_id, params.queue_id, body),
  }),
];

interface Services {
  readonly annotationTaskService: AnnotationTaskService;
  readonly annotationProgressService: AnnotationProgressService;
  readonly truthExportService: TruthExportService;
}

export const annotationTaskRoutes = (services: Services): Route[] => [...work(services), ...results(services)];
