import type { Row } from '../row.ts';

const ofStream = { run_id: 'log_stream_id' } as const;

export const JOBS: readonly Row[] = [
  {
    // Further rights that a kind of job requires are a matter of its handler.
    operation: 'createJob',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id, log_stream_id }) => ({ project_id, run_id: log_stream_id, job_name: 'nothing' }),
    ok: 422,
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'createJob',
    variant: 'running a prompt',
    on: 'project',
    needs: 'editor',
    body: ({ project_id, experiment_id, dataset_id, template_id }) => {
      const from = { dataset_id, prompt_template_version_id: template_id };
      return { project_id, run_id: experiment_id, job_name: 'playground_run', ...from };
    },
    // The dataset and the template of the request are nowhere.
    ok: 404,
    mixed: { experiment_id: 404, dataset_id: 404, template_id: 404 },
    // Whether there is such a run comes before what may be done with it.
    deviates: (usual, { relation }) => (relation === 'foreign experiment_id' ? 404 : usual),
  },
  { operation: 'getJob', on: 'project', needs: 'viewer', known_by: 'job_id' },
  { operation: 'listJobsOfRun', on: 'project', needs: 'viewer', path: ofStream, mixed: { log_stream_id: 404 } },
  { operation: 'getLatestJobOfRun', on: 'project', needs: 'viewer', path: ofStream, mixed: { log_stream_id: 404 } },
];
