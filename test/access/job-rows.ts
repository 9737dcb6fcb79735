import type { Row } from './row.ts';

const ofStream = { run_id: 'log_stream_id' } as const;

export const JOBS: readonly Row[] = [
  {
    // What a kind of job asks beyond seeing the run is a matter of its handler.
    operation: 'createJob',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id, log_stream_id }) => ({ project_id, run_id: log_stream_id, job_name: 'nothing' }),
    ok: 422,
    mixed: { log_stream_id: 404 },
  },
  { operation: 'getJob', on: 'project', needs: 'viewer', known_by: 'job_id' },
  { operation: 'listJobsOfRun', on: 'project', needs: 'viewer', path: ofStream, mixed: { log_stream_id: 404 } },
  { operation: 'getLatestJobOfRun', on: 'project', needs: 'viewer', path: ofStream, mixed: { log_stream_id: 404 } },
];
