import type { ImportJob } from '../../core/datasets/files/import-job.ts';
import type { ImportReport } from '../../core/datasets/files/import-report.ts';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';

/** How an import ended, and what was understood of its file. */
export const ImportResult = ({ job }: { job: ImportJob }) => (
  <>
    {job.error && (
      <div class="alert alert-danger py-2" role="alert">
        {job.error.message}
        <div class="small opacity-75">{job.error.code}</div>
      </div>
    )}
    {job.report && <Report report={job.report} />}
    {job.dataset_id && (
      <a class="btn btn-primary" href={toHref(`/datasets/${job.dataset_id}`)}>
        Open the dataset
      </a>
    )}
  </>
);

const Report = ({ report }: { report: ImportReport }) => (
  <section aria-label="What was understood of the file">
    <p role="status">
      {numberText(report.rows_accepted)} of {numberText(report.rows_read)} rows taken
      {report.rows_refused > 0 && `, ${numberText(report.rows_refused)} refused`} from {report.format}.
    </p>
    {report.refusals.length > 0 && (
      <ul class="small refusals">
        {report.refusals.map(({ row, line, column, msg }) => (
          <li key={`${row} ${column}`}>
            Row {row}
            {line !== null && ` (line ${line})`}
            {column !== null && `, ${column}`}: {msg}
          </li>
        ))}
      </ul>
    )}
    <ul class="small text-body-secondary">
      {report.notes.map(({ type, msg, count }) => (
        <li key={type}>
          {msg} {count > 1 && `(${numberText(count)} times)`}
        </li>
      ))}
      {report.empty_columns.length > 0 && <li>Empty columns: {report.empty_columns.join(', ')}</li>}
    </ul>
    <Table class="table table-sm table-rows small">
      <TableHeaders of={['Column', 'Type', { end: 'Filled' }, { end: 'Longest' }]} />
      <tbody>
        {report.columns.map(({ name, type, filled, longest }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{type}</td>
            <td class="text-end">{numberText(filled)}</td>
            <td class="text-end">{numberText(longest)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  </section>
);
