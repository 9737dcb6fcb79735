import { useState } from 'preact/hooks';
import { clipped, valueText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Empty, Failure } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { payloadText } from '../records/payload-text.ts';
import { ScoreBadge } from '../scores/score-badge.tsx';
import { isContentBlocks } from '../traces/payload.ts';
import { hasFailed, type TriedRecord, valueCounts } from './trial.ts';
import type { Trial } from './use-trial.ts';

interface ResultsProps {
  readonly trial: Trial;
  /** Where the records were taken from, for links to them. */
  readonly project_id: string | undefined;
}

/** How a trial is going and what it came to, record by record, failures first. */
export function TrialResults({ trial: { busy, progress, outcome, error }, project_id }: ResultsProps) {
  if (busy)
    return (
      <p role="status" class="text-body-secondary">
        Trying{progress ? `: ${progress.progress_message ?? 'begun'}` : ''} …
      </p>
    );
  if (error) return <Failure error={error} />;
  if (!outcome) return null;
  if (outcome.job.status !== 'completed')
    return (
      <div class="alert alert-danger py-2" role="alert">
        {outcome.job.error_message ?? `The trial was ${outcome.job.status}.`}
      </div>
    );
  if (outcome.records.length === 0)
    return (
      <Empty title="No record was tested">
        <p class="mb-0">There are no records of the types that this scorer judges. Choose another place, or other types.</p>
      </Empty>
    );
  const records = outcome.records.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
  return (
    <section class="mb-4" aria-label="What the trial came to">
      <Summary records={records} />
      <RecordTable records={records} project_id={project_id} />
    </section>
  );
}

function Summary({ records }: { records: readonly TriedRecord[] }) {
  const failed = records.filter(hasFailed).length;
  const counts = valueCounts(records);
  return (
    <p class="mb-2" role="status">
      {failed > 0 ? (
        <strong class="text-danger-emphasis">
          {failed} of {records.length} records failed.
        </strong>
      ) : (
        <strong>
          {records.length} of {records.length} succeeded
        </strong>
      )}{' '}
      {counts.length <= 8 && counts.map(([text, count]) => `${clipped(text, 40)}: ${count}`).join(' · ')}
    </p>
  );
}

/** All that it says: the value, of content blocks their texts. */
const shownText = (value: unknown): string =>
  valueText(isContentBlocks(value) ? payloadText(value, Number.POSITIVE_INFINITY) : value);

const RecordTable = ({ records, project_id }: { records: readonly TriedRecord[]; project_id: string | undefined }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="trial-records" aria-label="Records" tabIndex={0}>
    <Table class="table table-rows mb-0">
      <TableHeaders of={['Record', 'Score', 'Input', 'Output']} />
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <td>
              {record.type === 'trace' && record.source_id && project_id ? (
                <a href={toHref(`/projects/${project_id}/traces/${record.source_id}`)}>trace</a>
              ) : (
                record.type
              )}
            </td>
            <td>
              <Said record={record} />
            </td>
            <td>
              <Long text={shownText(record.input)} />
            </td>
            <td>
              <Long text={shownText(record.output)} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </section>
);

const Said = ({ record: { status, value, message, explanation, printed } }: { record: TriedRecord }) => {
  const said = status === 'success' ? explanation : message;
  return (
    <>
      <ScoreBadge info={{ status_type: status, value }} />
      {said && <Long text={said} />}
      {printed && <Printed text={printed} />}
    </>
  );
};

/** The text that the program printed, as it is laid out. */
const Printed = ({ text }: { text: string }) => (
  <details>
    <summary class="small text-body-secondary">printed</summary>
    <pre class="small mb-0 text-break">{text}</pre>
  </details>
);

const SHORT = 120;

/** A text in one line or two, all of it when asked for. */
function Long({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= SHORT) return <div class="text-break">{text}</div>;
  return (
    <div class="text-break">
      {open ? text : clipped(text, SHORT)}{' '}
      <button type="button" class="btn btn-link btn-sm p-0 text-decoration-none text-nowrap" onClick={() => setOpen(!open)}>
        {open ? 'less' : 'more'}
      </button>
    </div>
  );
}
