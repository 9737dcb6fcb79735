import type { ImportJob } from '../../core/datasets/files/import-job.ts';
import { numberText } from '../kit/formatting.ts';

const PHASES: Readonly<Record<ImportJob['phase'], string>> = {
  receiving: 'Sending the file',
  reading: 'Reading the rows',
  storing: 'Storing the rows',
  finished: 'Done',
  failed: 'Failed',
};

/** Until the file has arrived nothing is known. */
export function ImportProgress({ job }: { job: ImportJob | undefined }) {
  const label = `${PHASES[job?.phase ?? 'receiving']} …`;
  const share = job?.bytes_total ? job.bytes_read / job.bytes_total : undefined;
  return (
    <div class="mb-3" role="status">
      <progress class="w-100" aria-label={label} max={1} {...(share === undefined ? {} : { value: share })} />
      <div class="small text-body-secondary">
        {label} {job && `${numberText(job.rows_read)} rows`}
      </div>
    </div>
  );
}
