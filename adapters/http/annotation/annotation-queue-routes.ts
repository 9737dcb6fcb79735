import { z } from 'zod';
import {
  AnnotationQueue,
  AnnotationQueueUpdate,
  ChosenRecords,
  NewAnnotationQueue,
} from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueService } from '../../../core/annotation/annotation-queue-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';
import { MAX_SEARCH_BYTES, ProjectPath } from '../traces/trace-routes.ts';

export const QUEUES = '/v2/projects/{project_id}/annotation_queues';
const tag = 'feedback and annotation';
export const QueuePath = z.object({ project_id: Id, queue_id: Id });
const Deleted = z.object({ message: z.string() }).meta({ id: 'AnnotationQueueDeleted' });

export const annotationQueueRoutes = ({
  annotationQueueService: service,
}: {
  annotationQueueService: AnnotationQueueService;
}): Route[] => [
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
    method: 'patch',
    path: `${QUEUES}/{queue_id}`,
    operationId: 'updateAnnotationQueue',
    summary: 'Change the name, the people, the order or the time for a record of a queue.',
    tag,
    params: QueuePath,
    body: AnnotationQueueUpdate,
    response: AnnotationQueue,
    handle: ({ caller, params, body }) => service.update(caller, params.project_id, params.queue_id, body),
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
