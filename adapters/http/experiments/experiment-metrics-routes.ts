import { z } from 'zod';
import { Comparison, ComparisonRequest } from '../../../core/experiments/comparison/comparison.ts';
import type { ComparisonService } from '../../../core/experiments/comparison/comparison-service.ts';
import { ExperimentColumn } from '../../../core/experiments/experiment-columns.ts';
import type { ExperimentMetricsService } from '../../../core/experiments/experiment-metrics-service.ts';
import { ExperimentMetricsRequest, MetricBuckets } from '../../../core/experiments/score-buckets.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const ExperimentPath = z.object({ project_id: Id, experiment_id: Id });
const Metrics = z.object({ metrics: z.array(MetricBuckets) }).meta({ id: 'ExperimentMetrics' });
const Columns = z.object({ columns: z.array(ExperimentColumn) }).meta({ id: 'ExperimentColumns' });

interface Deps {
  readonly experimentMetricsService: ExperimentMetricsService;
  readonly comparisonService: ComparisonService;
}

export const experimentMetricsRoutes = ({ experimentMetricsService, comparisonService }: Deps): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/metrics',
    operationId: 'getExperimentMetrics',
    summary: 'How the results of scorers are spread over an experiment.',
    tag: 'experiments',
    params: ExperimentPath,
    body: ExperimentMetricsRequest,
    bodyOptional: true,
    response: Metrics,
    handle: ({ caller, params, body }) =>
      experimentMetricsService.ofExperiment(caller, params.project_id, params.experiment_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/metrics',
    operationId: 'getExperimentsMetrics',
    summary: 'How the results of scorers are spread over all experiments of a project.',
    tag: 'experiments',
    params: ProjectPath,
    body: ExperimentMetricsRequest,
    bodyOptional: true,
    response: Metrics,
    handle: ({ caller, params, body }) => experimentMetricsService.ofProject(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/available_columns',
    operationId: 'listExperimentColumns',
    summary: 'What can be shown of the experiments of a project.',
    tag: 'experiments',
    params: ProjectPath,
    body: z.object({}).meta({ id: 'ExperimentColumnsQuery' }),
    bodyOptional: true,
    response: Columns,
    handle: ({ caller, params }) => experimentMetricsService.columns(caller, params.project_id),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/experiments/compare',
    operationId: 'compareExperiments',
    summary: 'Compare two experiments row by row: means, intervals, tests, and the rows that changed most.',
    tag: 'experiments',
    params: ProjectPath,
    body: ComparisonRequest,
    response: Comparison,
    handle: ({ caller, params, body }) => comparisonService.compare(caller, params.project_id, body),
  }),
];
