import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import type { RunKind } from '../../../core/projects/run.ts';
import { forKinds } from '../../../core/scorers/kinds/for-kinds.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { MetricSettingsUpdate, metricSettingsSchema } from '../../../core/scorers/settings/metric-settings.ts';
import type { MetricSettingsService } from '../../../core/scorers/settings/metric-settings-service.ts';
import { type Route, route } from '../route.ts';

const LogStreamPath = z.object({ project_id: Id, log_stream_id: Id });
const ExperimentPath = z.object({ project_id: Id, experiment_id: Id });
const RunPath = z.object({ project_id: Id, run_id: Id });

const LOG_STREAM: readonly RunKind[] = ['log_stream'];
const EXPERIMENT: readonly RunKind[] = ['experiment'];
const EITHER: readonly RunKind[] = ['log_stream', 'experiment'];

/** The run is the one of the path; the field is taken because clients send it. */
const ScorerSettingsUpdate = MetricSettingsUpdate.extend({ run_id: Id.nullish() }).meta({ id: 'ScorerSettingsUpdate' });
const scorerSettingsSchema = forKinds((kinds) =>
  metricSettingsSchema(kinds).extend({ run_id: z.string() }).meta({ id: 'ScorerSettings' }),
);

interface Deps {
  readonly metricSettingsService: MetricSettingsService;
  readonly scorerKinds: ScorerKinds;
}

const ofLogStreams = ({ metricSettingsService, scorerKinds }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}/metric_settings',
    operationId: 'getMetricSettings',
    summary: 'Which scorers run on a log stream, and how.',
    tag: 'scorers',
    params: LogStreamPath,
    response: metricSettingsSchema(scorerKinds),
    handle: ({ caller, params: { project_id, log_stream_id } }) =>
      metricSettingsService.get(caller, { project_id, run_id: log_stream_id, kinds: LOG_STREAM }),
  }),
  route({
    method: 'patch',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}/metric_settings',
    operationId: 'updateMetricSettings',
    summary: 'Replace the lists that are given: scorers, segment filters.',
    tag: 'scorers',
    params: LogStreamPath,
    body: MetricSettingsUpdate,
    response: metricSettingsSchema(scorerKinds),
    handle: ({ caller, params: { project_id, log_stream_id }, body }) =>
      metricSettingsService.update(caller, { project_id, run_id: log_stream_id, kinds: LOG_STREAM }, body),
  }),
];

const ofExperiments = ({ metricSettingsService, scorerKinds }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/metric_settings',
    operationId: 'getExperimentMetricSettings',
    summary: 'Which scorers run on an experiment, and how.',
    tag: 'scorers',
    params: ExperimentPath,
    response: metricSettingsSchema(scorerKinds),
    handle: ({ caller, params: { project_id, experiment_id } }) =>
      metricSettingsService.get(caller, { project_id, run_id: experiment_id, kinds: EXPERIMENT }),
  }),
  route({
    method: 'patch',
    path: '/v2/projects/{project_id}/experiments/{experiment_id}/metric_settings',
    operationId: 'updateExperimentMetricSettings',
    summary: 'Replace the lists that are given: scorers, segment filters.',
    tag: 'scorers',
    params: ExperimentPath,
    body: MetricSettingsUpdate,
    response: metricSettingsSchema(scorerKinds),
    handle: ({ caller, params: { project_id, experiment_id }, body }) =>
      metricSettingsService.update(caller, { project_id, run_id: experiment_id, kinds: EXPERIMENT }, body),
  }),
];

/** The older face of the same settings, for log streams and experiments alike. */
const ofRuns = ({ metricSettingsService, scorerKinds }: Deps): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/scorer-settings',
    operationId: 'getScorerSettings',
    summary: 'Which scorers run on a log stream or an experiment, and how.',
    tag: 'scorers',
    params: RunPath,
    response: scorerSettingsSchema(scorerKinds),
    handle: async ({ caller, params }) => {
      return { run_id: params.run_id, ...(await metricSettingsService.get(caller, { ...params, kinds: EITHER })) };
    },
  }),
  ...(['post', 'patch'] as const).map((method) =>
    route({
      method,
      path: '/v2/projects/{project_id}/runs/{run_id}/scorer-settings',
      operationId: method === 'post' ? 'setScorerSettings' : 'updateScorerSettings',
      summary: 'Replace the lists that are given: scorers, segment filters.',
      tag: 'scorers',
      params: RunPath,
      body: ScorerSettingsUpdate,
      response: scorerSettingsSchema(scorerKinds),
      handle: async ({ caller, params, body }) => {
        return { run_id: params.run_id, ...(await metricSettingsService.update(caller, { ...params, kinds: EITHER }, body)) };
      },
    }),
  ),
];

export const metricSettingsRoutes = (deps: Deps): Route[] => [...ofLogStreams(deps), ...ofExperiments(deps), ...ofRuns(deps)];
