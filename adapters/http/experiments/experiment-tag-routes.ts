import { z } from 'zod';
import type { ExperimentTagService } from '../../../core/experiments/experiment-tag-service.ts';
import { NewRunTag, RunTag } from '../../../core/experiments/run-tag.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const ExperimentPath = z.object({ project_id: Id, experiment_id: Id });
const TagPath = z.object({ project_id: Id, experiment_id: Id, tag_id: Id });
const Deleted = z.object({ message: z.string() }).meta({ id: 'RunTagDeleted' });

export const experimentTagRoutes = ({ experimentTagService }: { experimentTagService: ExperimentTagService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/tags',
    operationId: 'listExperimentTags',
    summary: 'List the tags of an experiment, oldest first.',
    tag: 'experiments',
    params: ExperimentPath,
    response: z.array(RunTag),
    handle: ({ caller, params }) => experimentTagService.list(caller, params),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/tags',
    operationId: 'createExperimentTag',
    summary: 'Put a tag on an experiment; one of the same key is replaced.',
    tag: 'experiments',
    params: ExperimentPath,
    body: NewRunTag,
    response: RunTag,
    handle: ({ caller, params, body }) => experimentTagService.create(caller, params, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/tags/{tag_id}',
    operationId: 'getExperimentTag',
    summary: 'Get a tag of an experiment.',
    tag: 'experiments',
    params: TagPath,
    response: RunTag,
    handle: ({ caller, params }) => experimentTagService.get(caller, params, params.tag_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/tags/{tag_id}',
    operationId: 'updateExperimentTag',
    summary: 'Change a tag of an experiment.',
    tag: 'experiments',
    params: TagPath,
    body: NewRunTag,
    response: RunTag,
    handle: ({ caller, params, body }) => experimentTagService.update(caller, params, params.tag_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/tags/{tag_id}',
    operationId: 'deleteExperimentTag',
    summary: 'Take a tag off an experiment.',
    tag: 'experiments',
    params: TagPath,
    response: Deleted,
    handle: ({ caller, params }) => experimentTagService.delete(caller, params, params.tag_id),
  }),
];
