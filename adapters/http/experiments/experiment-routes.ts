import { z } from 'zod';
import { Experiment, ExperimentSearch, ExperimentUpdate, NewExperiment } from '../../../core/experiments/experiment.ts';
import type { ExperimentCreationService } from '../../../core/experiments/experiment-creation-service.ts';
import type { ExperimentService } from '../../../core/experiments/experiment-service.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { Flag } from '../query.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const ExperimentPath = z.object({ project_id: Id, experiment_id: Id });
const CountsQuery = z.object({ include_counts: Flag.optional() });
const PagedCountsQuery = PageQuery.extend({ include_counts: Flag.optional() });
const ExperimentPage = z.object({ ...PageFields, experiments: z.array(Experiment) }).meta({ id: 'ExperimentPage' });

interface Deps {
  readonly experimentService: ExperimentService;
  readonly experimentCreationService: ExperimentCreationService;
}

export const experimentRoutes = ({ experimentService, experimentCreationService }: Deps): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments',
    operationId: 'createExperiment',
    summary: 'Create an experiment; with `trigger` a prompt is run over its dataset.',
    tag: 'experiments',
    params: ProjectPath,
    body: NewExperiment,
    response: Experiment,
    handle: ({ caller, params, body }) => experimentCreationService.createExperiment(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments',
    operationId: 'listExperiments',
    summary: 'List all experiments of a project, newest first.',
    tag: 'experiments',
    deprecated: true,
    params: ProjectPath,
    query: CountsQuery,
    response: z.array(Experiment),
    handle: ({ caller, params, query }) =>
      experimentService.listExperiments(caller, params.project_id, query.include_counts ?? false),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments/paginated',
    operationId: 'listExperimentPage',
    summary: 'List experiments page by page, newest first.',
    tag: 'experiments',
    params: ProjectPath,
    query: PagedCountsQuery,
    response: ExperimentPage,
    handle: ({ caller, params, query }) =>
      experimentService.listExperimentPage(caller, params.project_id, query, query.include_counts ?? false),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/search',
    operationId: 'searchExperiments',
    summary: 'List experiments page by page, filtered and sorted.',
    tag: 'experiments',
    params: ProjectPath,
    body: ExperimentSearch,
    bodyOptional: true,
    response: ExperimentPage,
    handle: ({ caller, params, body }) => experimentService.searchExperiments(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}',
    operationId: 'getExperiment',
    summary: 'Get an experiment with its averages and its rank.',
    tag: 'experiments',
    params: ExperimentPath,
    response: Experiment,
    handle: ({ caller, params }) => experimentService.getExperiment(caller, params.project_id, params.experiment_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}',
    operationId: 'updateExperiment',
    summary: 'Rename an experiment.',
    tag: 'experiments',
    params: ExperimentPath,
    body: ExperimentUpdate,
    response: Experiment,
    handle: ({ caller, params, body }) =>
      experimentService.updateExperiment(caller, params.project_id, params.experiment_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}',
    operationId: 'deleteExperiment',
    summary: 'Delete an experiment with its records and scores.',
    tag: 'experiments',
    params: ExperimentPath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params }) => experimentService.deleteExperiment(caller, params.project_id, params.experiment_id),
  }),
];
