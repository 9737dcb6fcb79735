import { z } from 'zod';
import {
  AnnotationAnswers,
  AnnotationQueue,
  AnnotationTask,
  ChosenRecords,
  NewAnnotationQueue,
  TruthExport,
  TruthExported,
} from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueService } from '../../../core/annotation/annotation-queue-service.ts';
import type { TruthExportService } from '../../../core/annotation/truth-export-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';
import { MAX_SEARCH_BYTES, ProjectPath } from '../traces/trace-routes.ts';

const QUEUES = '/v2/projects/{project_id}/annotation_queues';
const tag = 'feedback and annotation';
const QueuePath = z.object({ project_id: Id, queue_id: Id });
const ItemPath = z.object({ project_id: Id, queue_id: Id, record_id: Id });
const Deleted = z.object({ message: z.string() }).meta({ id: 'AnnotationQueueDeleted' });

const queues = ({ annotationQueueService: service }: { annotationQueueService: AnnotationQueueService }): Route[] => [
  route({
    method: 'post',
    path: QUEUES,
    operationId: 'createAnnotationQueue',
    summary: 'Line records up for annotators: named ones, or the newest that pass filters.',
    tag,
    params: ProjectPath,
    body: NewAnnotationQueue,
    maxBodyBytes: MAX_SEARCH_BYTES,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) => service.create(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: QUEUES,
    operationId: 'listAnnotationQueues',
    summary: 'The annotation queues of a project, newest first, with how far they are.',
    tag,
    params: ProjectPath,
    response: z.array(AnnotationQueue),
    handle: ({ caller, params }) => service.list(caller, params.project_id),
  }),
  route({
    method: 'get',
    path: `${QUEUES}/{queue_id}`,
    operationId: 'getAnnotationQueue',
    summary: 'An annotation queue, and how far it is.',
    tag,
    params: QueuePath,
    response: AnnotationQueue,
    handle: ({ caller, params }) => service.get(caller, params.project_id, params.queue_id),
  }),
  route({
    method: 'delete',
    path: `${QUEUES}/{queue_id}`,
    operationId: 'deleteAnnotationQueue',
    summary: 'Delete a queue; the answers stay with their records.',
    tag,
    params: QueuePath,
    response: Deleted,
    handle: ({ caller, params }) => service.delete(caller, params.project_id, params.queue_id),
  }),
  route({
    method: 'post',
    path: `${QUEUES}/{queue_id}/items`,
    operationId: 'addAnnotationItems',
    summary: 'Line more records up behind those that are there.',
    tag,
    params: QueuePath,
    body: ChosenRecords,
    maxBodyBytes: MAX_SEARCH_BYTES,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) => service.add(caller, params.project_id, params.queue_id, body),
  }),
];

const work = ({ annotationQueueService, truthExportService }: Services): Route[] => [
  route({
    method: 'post',
    path: `${QUEUES}/{queue_id}/next`,
    operationId: 'nextAnnotationTask',
    summary: 'The next record for the caller alone, who has half an hour for it; null when there is none.',
    tag,
    params: QueuePath,
    response: AnnotationTask,
    handle: ({ caller, params }) => annotationQueueService.next(caller, params.project_id, params.queue_id),
  }),
  route({
    method: 'post',
    path: `${QUEUES}/{queue_id}/items/{record_id}`,
    operationId: 'answerAnnotationTask',
    summary: 'Answer all templates of the queue about a record, which is then done; or skip it.',
    tag,
    params: ItemPath,
    body: AnnotationAnswers,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) =>
      annotationQueueService.answer(caller, params.project_id, params.queue_id, params.record_id, body),
  }),
  route({
    method: 'post',
    path: `${QUEUES}/{queue_id}/dataset`,
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
  readonly annotationQueueService: AnnotationQueueService;
  readonly truthExportService: TruthExportService;
}

export const annotationQueueRoutes = (services: Services): Route[] => [...queues(services), ...work(services)];
