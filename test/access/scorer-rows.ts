import type { Row } from './row.ts';
import { anew, file } from './row-helpers.ts';

const OF_RUN = { run_id: 'log_stream_id' } as const;
const OF_SCORERS = { scorer_id: 422, scorer_version_id: 422 } as const;
const updatesSettings: Omit<Extract<Row, { on: 'project' }>, 'operation' | 'mixed'> = {
  on: 'project',
  needs: 'editor',
  body: ({ scorer_id, scorer_version_id }) => ({ scorers: [{ id: scorer_id, scorer_version: { id: scorer_version_id } }] }),
  known: ['scorer_id'],
};

/** The scorer of the scenes is of code: whoever may give it a version learns that this is none. */
const ofAnotherType = { on: 'scorer', needs: 'maker', ok: 422, code: 'scorer_type_unfit' } as const;

export const SCORERS: readonly Row[] = [
  {
    operation: 'createScorer',
    on: 'organization',
    allowed: ['admin', 'manager', 'user'],
    body: () => ({ ...anew(), scorer_type: 'code' }),
  },
  { operation: 'listScorers', on: 'everyone', body: () => ({}) },
  { operation: 'listScorerTags', on: 'everyone' },
  { operation: 'getScorer', on: 'scorer', needs: 'nothing' },
  { operation: 'updateScorer', on: 'scorer', needs: 'maker', body: () => ({ description: 'changed' }) },
  { operation: 'deleteScorer', on: 'scorer', needs: 'maker' },
  { operation: 'listProjectsOfScorer', on: 'scorer', needs: 'nothing' },
  {
    operation: 'listProjectsOfScorerVersion',
    on: 'scorer',
    needs: 'nothing',
    query: ({ scorer_id }) => ({ scorer_id }),
    mixed: { scorer_version_id: 404 },
  },
  { operation: 'listScorerVersions', on: 'scorer', needs: 'nothing' },
  { operation: 'createLlmVersion', ...ofAnotherType, body: () => ({ user_prompt: 'x' }) },
  { operation: 'createPresetVersion', ...ofAnotherType, body: () => ({ num_judges: 1 }) },
  { operation: 'createFinetunedVersion', ...ofAnotherType, body: () => ({ lora_task_id: 1, prompt: 'x' }) },
  { operation: 'restoreScorerVersion', on: 'scorer', needs: 'maker', path: { version_number: 'version_index' } },
  { operation: 'getScorerVersion', on: 'scorer', needs: 'nothing' },
  { operation: 'getCode', on: 'scorer', needs: 'nothing' },
  { operation: 'createCodeVersion', on: 'scorer', needs: 'maker', form: () => file('one.js', 'function scorer() { return 1; }') },
  { operation: 'getMetricSettings', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  { operation: 'updateMetricSettings', ...updatesSettings, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  { operation: 'getExperimentMetricSettings', on: 'project', needs: 'viewer', mixed: { experiment_id: 404 } },
  { operation: 'updateExperimentMetricSettings', ...updatesSettings, mixed: { experiment_id: 404, ...OF_SCORERS } },
  { operation: 'getScorerSettings', on: 'project', needs: 'viewer', path: OF_RUN, mixed: { log_stream_id: 404 } },
  { operation: 'setScorerSettings', ...updatesSettings, path: OF_RUN, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  { operation: 'updateScorerSettings', ...updatesSettings, path: OF_RUN, mixed: { log_stream_id: 404, ...OF_SCORERS } },
  {
    operation: 'listModelSpending',
    on: 'project',
    needs: 'viewer',
    query: ({ log_stream_id, scorer_id }) => ({ run_id: log_stream_id, scorer_id }),
    mixed: { log_stream_id: 200, scorer_id: 200 },
  },
  {
    operation: 'listScores',
    on: 'project',
    needs: 'viewer',
    path: { run_id: 'log_stream_id', record_id: 'trace_id' },
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
];
