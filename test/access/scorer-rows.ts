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

export const SCORERS: readonly Row[] = [
  {
    operation: 'createScorer',
    on: 'organization',
    allowed: ['admin', 'manager', 'user'],
    body: () => ({ ...anew(), scorer_type: 'code' }),
  },
  { operation: 'listScorers', on: 'everyone', body: () => ({}) },
  { operation: 'getScorer', on: 'scorer', needs: 'nothing' },
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
];
