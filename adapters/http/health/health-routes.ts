import { z } from 'zod';
import type { CalibratedVersionService } from '../../../core/health/calibration/calibrated-version-service.ts';
import { CalibratedVersionRequest, Calibration, CalibrationRequest } from '../../../core/health/calibration/calibration.ts';
import type { CalibrationService } from '../../../core/health/calibration/calibration-service.ts';
import { RunComparison, RunComparisonRequest } from '../../../core/health/comparison/run-comparison.ts';
import type { RunComparisonService } from '../../../core/health/comparison/run-comparison-service.ts';
import { Health, HealthRequest, HealthScoreList, HealthScoreQuery } from '../../../core/health/health-score.ts';
import type { HealthService } from '../../../core/health/health-service.ts';
import { TruthColumnChoices, TruthColumnMap, type TruthColumnService } from '../../../core/health/truth-column-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { scorerVersionSchema } from '../../../core/scorers/versions/scorer-version.ts';
import { type Route, route } from '../route.ts';

/** An overlay may hold a truth for every row of a dataset. */
const MAX_BYTES = 25 * 1024 * 1024;

const DatasetPath = z.object({ dataset_id: Id });

export interface HealthRouteDeps {
  readonly healthService: HealthService;
  readonly calibrationService: CalibrationService;
  readonly calibratedVersionService: CalibratedVersionService;
  readonly runComparisonService: RunComparisonService;
  readonly scorerKinds: ScorerKinds;
  readonly truthColumnService: TruthColumnService;
}

export const healthRoutes = ({
  healthService,
  calibrationService,
  calibratedVersionService,
  runComparisonService,
  scorerKinds,
  truthColumnService,
}: HealthRouteDeps): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics-testing/{run_id}/health-score',
    operationId: 'computeHealthScore',
    summary: 'How well a scorer says what is right, in a metrics-testing run or an experiment.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: HealthRequest,
    response: Health,
    handle: ({ caller, params, body }) => healthService.compute(caller, params.project_id, params.run_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics-testing/{run_id}/calibration',
    operationId: 'computeCalibration',
    summary:
      'How far scores between 0 and 1 can be read as probabilities, mappings that make them so, and where to draw the line.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: CalibrationRequest,
    response: Calibration,
    handle: ({ caller, params, body }) => calibrationService.calibrate(caller, params.project_id, params.run_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics-testing/{run_id}/calibrated-version',
    operationId: 'addCalibratedVersion',
    summary: 'Add a version of a scorer that maps its scores to the rates at which such scores were true in these rows.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: CalibratedVersionRequest,
    response: scorerVersionSchema(scorerKinds),
    handle: ({ caller, params, body }) => calibratedVersionService.add(caller, params.project_id, params.run_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics-testing/compare',
    operationId: 'compareMetricsTestingRuns',
    summary: 'Which of several metrics-testing runs agrees best with the ground truth, by paired tests over the rows they share.',
    tag: 'scorers',
    params: z.object({ project_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: RunComparisonRequest,
    response: RunComparison,
    errors: [400],
    handle: ({ caller, params, body }) => runComparisonService.compare(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/health-scores',
    operationId: 'listHealthScores',
    summary: 'Health scores of a scorer against a dataset, by version: the first is the baseline, the last the latest.',
    tag: 'scorers',
    params: z.object({ scorer_id: Id }),
    query: HealthScoreQuery,
    response: HealthScoreList,
    handle: ({ caller, params, query }) => healthService.list(caller, params.scorer_id, query),
  }),
  route({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/ground_truth_columns',
    operationId: 'getGroundTruthColumns',
    summary: 'In which column of the dataset ground truth for each scorer is, where it is not in mgt.',
    tag: 'datasets',
    params: DatasetPath,
    response: TruthColumnMap,
    handle: ({ caller, params }) => truthColumnService.list(caller, params.dataset_id),
  }),
  route({
    method: 'patch',
    path: '/v2/datasets/{dataset_id}/ground_truth_columns',
    operationId: 'chooseGroundTruthColumns',
    summary: 'Choose columns for some scorers, or take choices back by null.',
    tag: 'datasets',
    params: DatasetPath,
    body: TruthColumnChoices,
    response: TruthColumnMap,
    handle: ({ caller, params, body }) => truthColumnService.choose(caller, params.dataset_id, body),
  }),
];
