import type { z } from 'zod';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Job } from '../../core/jobs/job.ts';
import { get } from '../api/client.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

const LOOK_EVERY_MS = 2000;

/** How far the service is with the rows of an experiment that it makes itself, and why it stopped. */
export function Making({ experiment: { id, project_id, status } }: { experiment: Experiment }) {
  const path = `/projects/${project_id}/runs/${id}/jobs/latest`;
  const { value: job, error } = useLoaded(path, (signal) => get<z.output<typeof Job> | null>(path, { signal }), {
    everyMs: LOOK_EVERY_MS,
  });
  if (job?.status === 'failed') return <Failure error={new Error(job.error_message ?? 'the run failed')} />;
  return (
    <div role="status" class="mb-2">
      <Failure error={error} />
      <progress class="w-100" aria-label="Rows that are done" value={status.log_generation.progress_percent} max={1} />
      {job?.progress_message}
    </div>
  );
}
