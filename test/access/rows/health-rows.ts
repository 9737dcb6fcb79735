import type { Row } from '../row.ts';

const OF_RUN = { run_id: 'log_stream_id' } as const;

export const HEALTH: readonly Row[] = [
  {
    operation: 'computeHealthScore',
    on: 'project',
    needs: 'annotator',
    path: { run_id: 'experiment_id' },
    body: ({ scorer_id }) => ({ scorer_id, output_type: 'boolean' }),
    known: ['scorer_id'],
    mixed: { experiment_id: 404, scorer_id: 200 },
  },
  {
    operation: 'computeCalibration',
    on: 'project',
    needs: 'annotator',
    path: { run_id: 'experiment_id' },
    body: ({ scorer_id }) => ({ scorer_id }),
    known: ['scorer_id'],
    mixed: { experiment_id: 404, scorer_id: 200 },
  },
  {
    operation: 'addCalibratedVersion',
    on: 'project',
    needs: 'annotator',
    path: { run_id: 'experiment_id' },
    body: ({ scorer_id }) => ({ scorer_id, method: 'platt' }),
    // Whoever may read the calibration is told first that the run has no rows for it.
    ok: 422,
    known: ['scorer_id'],
    mixed: { experiment_id: 404, scorer_id: 422 },
  },
  {
    operation: 'compareMetricsTestingRuns',
    on: 'project',
    needs: 'viewer',
    // Whoever may read the project is told that its experiment shares no dataset with the other one.
    ok: 404,
    body: ({ experiment_id, scorer_id, job_id }) => ({
      runs: [
        { run_id: experiment_id, scorer_id },
        { run_id: job_id, scorer_id },
      ],
    }),
    known: ['scorer_id'],
    mixed: { experiment_id: 404, scorer_id: 404, job_id: 404 },
  },
  {
    operation: 'listHealthScores',
    on: 'dataset',
    needs: 'viewer',
    query: ({ dataset_id }) => ({ dataset_id }),
    known: ['scorer_id'],
    mixed: { scorer_id: 200 },
  },
  {
    operation: 'setScorerGate',
    on: 'scorer',
    needs: 'maker',
    body: ({ dataset_id }) => ({ dataset_id, margin: 0.05 }),
    // Whoever may set a gate still has to see the dataset; nobody here does.
    ok: 404,
    mixed: { dataset_id: 404 },
  },
  { operation: 'getScorerGate', on: 'dataset', needs: 'viewer', known_by: 'scorer_id' },
  { operation: 'removeScorerGate', on: 'scorer', needs: 'maker' },
  {
    operation: 'checkScorerGate',
    on: 'dataset',
    needs: 'viewer',
    body: ({ dataset_id, scorer_version_id }) => ({ dataset_id, scorer_version_id }),
    known: ['scorer_id', 'scorer_version_id'],
    mixed: { scorer_id: 404, scorer_version_id: 404 },
  },
  // The scorer of the fixture objects is of code, which has no judge: whoever may have it tested learns that.
  {
    operation: 'startJudgeAudit',
    on: 'scorer',
    needs: 'maker',
    ok: 422,
    body: ({ dataset_id }) => ({ dataset_id, dry_run: true }),
    mixed: { dataset_id: 422 },
  },
  { operation: 'listJudgeAudits', on: 'scorer', needs: 'nothing' },
  { operation: 'getJudgeAudit', on: 'scorer', needs: 'nothing', path: { audit_id: 'job_id' }, mixed: { job_id: 404 } },
  { operation: 'cancelJudgeAudit', on: 'scorer', needs: 'maker', path: { audit_id: 'job_id' }, mixed: { job_id: 404 } },
  { operation: 'getGroundTruthColumns', on: 'dataset', needs: 'viewer' },
  {
    operation: 'chooseGroundTruthColumns',
    on: 'dataset',
    needs: 'editor',
    body: ({ scorer_id }) => ({ columns: { [scorer_id]: 'output' } }),
    known: ['scorer_id'],
    mixed: { scorer_id: 200 },
  },
  {
    operation: 'startShadowTrial',
    on: 'project',
    needs: 'editor',
    path: OF_RUN,
    body: ({ scorer_version_id }) => ({ scorer_version_id, sample_rate: 0.1 }),
    // Whoever may start one is told that the scorer is not enabled.
    ok: 409,
    mixed: { log_stream_id: 404, scorer_id: 409, scorer_version_id: 409 },
  },
  {
    operation: 'getShadowTrial',
    on: 'project',
    needs: 'viewer',
    path: OF_RUN,
    ok: 404,
    mixed: { log_stream_id: 404, scorer_id: 404 },
  },
  {
    operation: 'stopShadowTrial',
    on: 'project',
    needs: 'editor',
    path: OF_RUN,
    ok: 404,
    mixed: { log_stream_id: 404, scorer_id: 404 },
  },
];
