import type { Row } from './row.ts';
import { anew, file } from './row-helpers.ts';

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
  {
    operation: 'updateMetricSettings',
    on: 'project',
    needs: 'editor',
    body: ({ scorer_id, scorer_version_id }) => ({ scorers: [{ id: scorer_id, scorer_version: { id: scorer_version_id } }] }),
    mixed: { log_stream_id: 404, scorer_id: 422, scorer_version_id: 422 },
    known: ['scorer_id'],
  },
];
