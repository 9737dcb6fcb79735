import type { Row } from '../row.ts';
import { anew, file, mayCreate } from '../row-helpers.ts';

const PROGRAM = 'function scorer() { return 1; }';
const POLLED = ['getCodeValidation', 'getRegisteredValidation', 'getJudgeValidation', 'getGeneratedValidation'];
const VERSION = { version_number: 'version_index' } as const;
const makers = { on: 'organization', allowed: ['admin', 'manager', 'user'] } as const;
const OF_RUN = { run_id: 'log_stream_id' } as const;
const OF_SCORE = { run_id: 'log_stream_id', record_id: 'trace_id', scorer_version_id: 'scorer_version_id' } as const;
const NO_SCORE = { log_stream_id: 404, trace_id: 404, scorer_version_id: 404 } as const;
const OF_SCORERS = { scorer_id: 422, scorer_version_id: 422 } as const;
const updatesSettings: Omit<Extract<Row, { on: 'project' }>, 'operation' | 'mixed'> = {
  on: 'project',
  needs: 'editor',
  body: ({ scorer_id, scorer_version_id }) => ({ scorers: [{ id: scorer_id, scorer_version: { id: scorer_version_id } }] }),
  known: ['scorer_id'],
};

/** The scorer of the fixture objects is of code: whoever may give it a version learns that this is none. */
const ofAnotherType = { on: 'scorer', needs: 'maker', ok: 422 } as const;

export const SCORERS: readonly Row[] = [
  {
    operation: 'createScorer',
    on: 'organization',
    allowed: ['admin', 'manager', 'user'],
    body: () => ({ ...anew(), scorer_type: 'code' }),
  },
  { operation: 'listScorers', on: 'everyone', body: () => ({}) },
  { operation: 'listScorerTags', on: 'everyone' },
  { operation: 'listScorerKinds', on: 'everyone' },
  { operation: 'listCodeLanguages', on: 'everyone' },
  { operation: 'getScorer', on: 'scorer', needs: 'nothing' },
  { operation: 'updateScorer', on: 'scorer', needs: 'maker', body: () => ({ description: 'changed' }) },
  { operation: 'deleteScorer', on: 'scorer', needs: 'maker' },
  { operation: 'listScorerSuspensions', on: 'scorer', needs: 'nothing' },
  {
    operation: 'resumeScorer',
    on: 'scorer',
    needs: 'maker',
    body: ({ scorer_version_id }) => ({ scorer_version_id }),
    mixed: { scorer_version_id: 404 },
  },
  { operation: 'listProjectsOfScorer', on: 'scorer', needs: 'nothing' },
  {
    operation: 'listProjectsOfScorerVersion',
    on: 'scorer',
    needs: 'nothing',
    query: ({ scorer_id }) => ({ scorer_id }),
    mixed: { scorer_version_id: 404 },
  },
  { operation: 'listScorerVersions', on: 'scorer', needs: 'nothing' },
  ...['createLlmVersion', 'createGeneratedVersion'].map(
    (operation): Row => ({ operation, ...ofAnotherType, body: () => ({ user_prompt: 'x' }) }),
  ),
  { operation: 'createPresetVersion', ...ofAnotherType, body: () => ({ num_judges: 1 }) },
  { operation: 'createFinetunedVersion', ...ofAnotherType, body: () => ({ lora_task_id: 1, prompt: 'x' }) },
  { operation: 'restoreScorerVersion', on: 'scorer', needs: 'maker', path: VERSION },
  { operation: 'getScorerVersion', on: 'scorer', needs: 'nothing' },
  ...['getCode', 'getRegistered'].map((operation): Row => ({ operation, on: 'scorer', needs: 'nothing' })),
  ...['createCodeVersion', 'createRegisteredVersion'].map(
    (operation): Row => ({ operation, on: 'scorer', needs: 'maker', form: () => file('one.js', PROGRAM) }),
  ),
  { operation: 'getValidationEvidence', on: 'scorer', needs: 'nothing', path: VERSION },
  ...['validateCode', 'validateRegistered'].map(
    (operation): Row => ({ operation, ...makers, form: () => file('one.js', PROGRAM) }),
  ),
  ...['validateJudge', 'validateGenerated'].map(
    (operation): Row => ({ operation, ...makers, body: () => ({ user_prompt: 'x' }) }),
  ),
  ...['autogenJudge', 'autogenGenerated'].map(
    (operation): Row => ({
      operation,
      ...makers,
      body: () => ({ instructions: 'x', model_name: 'm', output_type: 'boolean', cot_enabled: true, scoreable_node_types: [] }),
    }),
  ),
  // A task is told to whoever started it; the job of the fixture objects is no task.
  ...[...POLLED, 'getJudgeAutogen', 'getGeneratedAutogen'].map(
    (operation): Row => ({ operation, on: 'everyone', path: { task_id: 'job_id' }, ok: 404, mixed: { job_id: 404 } }),
  ),
  ...['validateCodeOnRecords', 'validateRegisteredOnRecords'].map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      known_by: 'log_stream_id',
      form: ({ log_stream_id }) => file('one.js', PROGRAM, { log_stream_id }),
    }),
  ),
  ...['validateJudgeOnRecords', 'validateGeneratedOnRecords'].map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      known_by: 'log_stream_id',
      body: ({ log_stream_id }) => ({ log_stream_id, user_prompt: 'x' }),
    }),
  ),
  // Whoever reads the dataset may try a scorer on it, in a project of their own; a key made for a project, in that one alone.
  ...['validateCodeOnDataset', 'validateRegisteredOnDataset'].map(
    (operation): Row => ({
      operation,
      on: 'dataset',
      needs: 'viewer',
      form: ({ dataset_id }) => file('one.js', PROGRAM, { dataset_id }),
      deviates: (usual, { caller }) => {
        if (usual !== 200 || mayCreate(caller)) return usual;
        return caller.key_project === null ? 403 : 404;
      },
    }),
  ),
  { operation: 'getMetricSettings', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  { operation: 'updateMetricSettings', ...updatesSettings, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  { operation: 'getExperimentMetricSettings', on: 'project', needs: 'viewer', mixed: { experiment_id: 404 } },
  { operation: 'updateExperimentMetricSettings', ...updatesSettings, mixed: { experiment_id: 404, ...OF_SCORERS } },
  { operation: 'getScorerSettings', on: 'project', needs: 'viewer', path: OF_RUN, mixed: { log_stream_id: 404 } },
  { operation: 'setScorerSettings', ...updatesSettings, path: OF_RUN, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  { operation: 'updateScorerSettings', ...updatesSettings, path: OF_RUN, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  {
    operation: 'forecastScorerCost',
    on: 'project',
    needs: 'editor',
    path: OF_RUN,
    body: ({ scorer_id, scorer_version_id }) => ({ id: scorer_id, scorer_version: { id: scorer_version_id } }),
    known: ['scorer_id'],
    mixed: { log_stream_id: 404, scorer_id: 404, scorer_version_id: 404 },
  },
  {
    operation: 'getScorerDrift',
    on: 'project',
    needs: 'viewer',
    path: OF_RUN,
    known: ['scorer_id'],
    mixed: { log_stream_id: 404, scorer_id: 200 },
  },
  {
    operation: 'listModelSpending',
    on: 'project',
    needs: 'viewer',
    query: ({ log_stream_id, scorer_id }) => ({ run_id: log_stream_id, scorer_id }),
    mixed: { log_stream_id: 200, scorer_id: 200 },
  },
  { operation: 'listOwnModelSpending', on: 'everyone' },
  { operation: 'getModelPrices', on: 'organization', allowed: ['admin', 'manager', 'user', 'read_only'], limited_keys: true },
  { operation: 'setModelPrices', on: 'organization', allowed: ['admin', 'manager'], body: () => ({ prices: [] }) },
  { operation: 'getProjectModelPrices', on: 'project', needs: 'viewer' },
  { operation: 'setProjectModelPrices', on: 'project', needs: 'editor', body: () => ({ prices: [] }) },
  {
    operation: 'getUnpricedModels',
    on: 'organization',
    allowed: ['admin', 'manager', 'user', 'read_only'],
    limited_keys: true,
  },
  { operation: 'setUnpricedModels', on: 'organization', allowed: ['admin', 'manager'], body: () => ({ forbidden: false }) },
  { operation: 'getProjectUnpricedModels', on: 'project', needs: 'viewer' },
  { operation: 'setProjectUnpricedModels', on: 'project', needs: 'editor', body: () => ({ forbidden: false }) },
  {
    operation: 'getSpendingBudget',
    on: 'organization',
    allowed: ['admin', 'manager', 'user', 'read_only'],
    limited_keys: true,
  },
  {
    operation: 'setSpendingBudget',
    on: 'organization',
    allowed: ['admin', 'manager'],
    body: () => ({ daily: null, monthly: null }),
  },
  { operation: 'getProjectSpendingBudget', on: 'project', needs: 'viewer' },
  { operation: 'setProjectSpendingBudget', on: 'project', needs: 'editor', body: () => ({ daily: null, monthly: null }) },
  { operation: 'getDataExport', on: 'project', needs: 'viewer' },
  { operation: 'setDataExport', on: 'project', needs: 'owner', body: () => ({ is_enabled: false }) },
  { operation: 'getMaskingRules', on: 'project', needs: 'viewer' },
  { operation: 'setMaskingRules', on: 'project', needs: 'owner', body: () => ({ rules: [] }) },
  { operation: 'previewMasking', on: 'project', needs: 'viewer', body: () => ({ content: 'text' }) },
  { operation: 'listMaskingCounts', on: 'project', needs: 'viewer' },
  {
    operation: 'listScores',
    on: 'project',
    needs: 'viewer',
    path: { run_id: 'log_stream_id', record_id: 'trace_id' },
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  // The fixture's trace has no score of this version.
  { operation: 'listJudgeCalls', on: 'project', needs: 'viewer', ok: 404, path: OF_SCORE, mixed: NO_SCORE },
  { operation: 'replayScore', on: 'project', needs: 'editor', ok: 404, path: OF_SCORE, mixed: NO_SCORE, body: () => ({}) },
];
