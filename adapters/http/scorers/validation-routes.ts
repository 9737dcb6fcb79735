import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { AutogenRequest } from '../../../core/scorers/autogen/autogen.ts';
import type { AutogenService } from '../../../core/scorers/autogen/autogen-service.ts';
import { JudgeTrial, RecordTrialForm, RowTrialForm, SampleForm } from '../../../core/scorers/validation/requests.ts';
import { TaskResult } from '../../../core/scorers/validation/task-result.ts';
import type { TrialService } from '../../../core/scorers/validation/trial-service.ts';
import { EvidenceView } from '../../../core/scorers/validation/validation.ts';
import type { ValidationService } from '../../../core/scorers/validation/validation-service.ts';
import { VersionNumber } from '../../../core/scorers/versions/version-requests.ts';
import { RecordSearch } from '../../../core/traces/record-query.ts';
import { requiredFile } from '../body/required-file.ts';
import { type Route, route } from '../route.ts';
import { MAX_SOURCE_BYTES } from './scorer-version-routes.ts';

const TaskPath = z.object({ task_id: Id });
const StartedTrial = z.object({ metrics_experiment_id: z.string(), project_id: z.string() }).meta({ id: 'StartedTrial' });
const StartedTask = z.object({ task_result_id: z.string() }).meta({ id: 'StartedTask' });
const RecordJudgeTrial = RecordSearch.extend(JudgeTrial.shape).loose().meta({ id: 'RecordJudgeTrial' });

const text = z.string().optional();
const candidate = { file: z.string().meta({ format: 'binary' }), required_scorers: text, scoreable_node_types: text };
const slice = { limit: text, starting_token: text };
const DocumentedSamples = z.object({ ...candidate, test_input: text, test_output: text });
const DocumentedRecords = z.object({
  ...candidate,
  ...slice,
  log_stream_id: text,
  experiment_id: text,
  filters: text,
  sort: text,
});
const DocumentedRows = z.object({
  ...candidate,
  ...slice,
  dataset_id: z.string(),
  dataset_version_index: text,
  score_type: text,
  project_id: text,
});

interface Services {
  readonly validationService: ValidationService;
  readonly trialService: TrialService;
  readonly autogenService: AutogenService;
}

const POLLED = [
  ['/v2/scorers/code/validate/{task_id}', 'getCodeValidation'],
  ['/v2/scorers/llm/validate/{task_id}', 'getJudgeValidation'],
  ['/v2/scorers/llm/autogen/{task_id}', 'getAutogen'],
] as const;

export const validationRoutes = ({ validationService, trialService, autogenService }: Services): Route[] => [
  route({
    method: 'post',
    path: '/v2/scorers/code/validate',
    operationId: 'validateCode',
    summary: 'Try a code scorer on one record of each type that it scores; the result is polled.',
    tag: 'scorers',
    bodyFormat: 'multipart',
    maxBodyBytes: MAX_SOURCE_BYTES,
    body: SampleForm,
    documentedBody: DocumentedSamples,
    response: z.object({ task_id: z.string() }),
    handle: async ({ caller, body, file }) => validationService.tryCode(caller, requiredFile(file), body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/code/validate/log_record',
    operationId: 'validateCodeOnRecords',
    summary: 'Try a code scorer on records of a log stream or experiment, copied into a metrics-testing run.',
    tag: 'scorers',
    bodyFormat: 'multipart',
    maxBodyBytes: MAX_SOURCE_BYTES,
    body: RecordTrialForm,
    documentedBody: DocumentedRecords,
    response: StartedTrial,
    handle: async ({ caller, body, file }) => trialService.tryOnRecords(caller, requiredFile(file), body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/code/validate/dataset',
    operationId: 'validateCodeOnDataset',
    summary: 'Try a code scorer on rows of a dataset, in a metrics-testing run.',
    tag: 'scorers',
    bodyFormat: 'multipart',
    maxBodyBytes: MAX_SOURCE_BYTES,
    body: RowTrialForm,
    documentedBody: DocumentedRows,
    response: StartedTrial,
    handle: async ({ caller, body, file }) => trialService.tryOnRows(caller, requiredFile(file), body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/llm/validate',
    operationId: 'validateJudge',
    summary: 'Try a judge on one record of each type that it scores; the result is polled.',
    tag: 'scorers',
    body: JudgeTrial,
    response: StartedTask,
    handle: ({ caller, body }) => validationService.tryJudge(caller, body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/llm/validate/log_record',
    operationId: 'validateJudgeOnRecords',
    summary: 'Try a judge on records of a log stream or experiment, copied into a metrics-testing run.',
    tag: 'scorers',
    body: RecordJudgeTrial,
    response: StartedTrial,
    handle: ({ caller, body }) => trialService.tryJudgeOnRecords(caller, body, JudgeTrial.parse(ownFields(body))),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/llm/autogen',
    operationId: 'autogenJudge',
    summary: "Have one of the caller's models write the prompts of a judge; the result is polled.",
    tag: 'scorers',
    body: AutogenRequest,
    response: StartedTask,
    handle: ({ caller, body }) => autogenService.start(caller, body),
  }),
  ...POLLED.map(([path, operationId]) =>
    route({
      method: 'get',
      path,
      operationId,
      summary: 'How a task is going, and what came of it; for whoever started it.',
      tag: 'scorers',
      params: TaskPath,
      response: TaskResult,
      handle: ({ caller, params }) => validationService.result(caller, params.task_id),
    }),
  ),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/versions/{version_number}/validation',
    operationId: 'getValidationEvidence',
    summary: 'What the trial came to that a version was made from.',
    tag: 'scorers',
    params: z.object({ scorer_id: Id, version_number: VersionNumber }),
    response: EvidenceView,
    handle: ({ caller, params }) => validationService.evidence(caller, params.scorer_id, params.version_number),
  }),
];

const SEARCH_FIELDS = Object.keys(RecordSearch.shape);

/** What a body says of the judge: all that is not about which records. */
const ownFields = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SEARCH_FIELDS.includes(name)));
