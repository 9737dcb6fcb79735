import type { Row } from './row.ts';

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
    operation: 'listHealthScores',
    on: 'dataset',
    needs: 'viewer',
    query: ({ dataset_id }) => ({ dataset_id }),
    known: ['scorer_id'],
    mixed: { scorer_id: 200 },
  },
];
