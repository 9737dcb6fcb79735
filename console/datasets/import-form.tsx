import { useState } from 'preact/hooks';
import type { ImportJob } from '../../core/datasets/files/import-job.ts';
import { Check } from '../kit/check.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { numberText } from '../kit/formatting.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { importFile } from './import-file.ts';
import { ImportResult } from './import-report.tsx';

/** A file becomes a dataset; how far that is and what was understood is told here. */
export function ImportForm({ onMade }: { onMade: () => void }) {
  const [job, setJob] = useState<ImportJob>();
  const sending = useAction(async (values: FormData) => {
    setJob(undefined);
    const refused_rows = values.get('skip') ? 'skip' : 'fail';
    const ended = await importFile({ file: values.get('file') as File, name: String(values.get('name')), refused_rows }, setJob);
    setJob(ended);
    if (ended.phase === 'finished') onMade();
  });
  if (job?.phase === 'finished') return <ImportResult job={job} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void sending.run(new FormData(event.currentTarget));
      }}
    >
      <Field label="File" help="CSV, JSON, JSON lines or Parquet, up to 250 MB.">
        {(id) => (
          <input class="form-control" id={id} name="file" type="file" required accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet" />
        )}
      </Field>
      <TextField label="Name" name="name" help="Left empty, it is that of the file." />
      <Check class="mb-3" name="skip" label="Leave out rows that cannot be taken, instead of refusing the file" />
      {sending.busy && <ImportProgress job={job} />}
      {job?.phase === 'failed' && <ImportResult job={job} />}
      <Failure error={sending.error} />
      <button type="submit" class="btn btn-primary" disabled={sending.busy}>
        Import
      </button>
    </form>
  );
}

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
