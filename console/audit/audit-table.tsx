import { TableHeaders } from '../kit/table-headers.tsx';
import '../styles/admin.css';
import type { AuditEntry } from '../../core/access/audit/audit.ts';
import type { ViewChanges } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { detailsText } from './audit-query.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** Shows only what is like the thing that was pressed. */
  readonly narrow: (filters: ViewChanges) => void;
}

export const AuditTable = ({ entries, narrow }: AuditTableProps) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={[{ end: '#' }, 'When', 'Actor', 'Action', 'Object', 'From', 'Details']} />
    <tbody>
      {entries.map((entry) => (
        <AuditRow key={entry.sequence} entry={entry} narrow={narrow} />
      ))}
    </tbody>
  </Table>
);

function AuditRow({ entry, narrow }: { entry: AuditEntry; narrow: (filters: ViewChanges) => void }) {
  const { sequence, at, actor_id, actor_email, scheme, action, object_kind, object_id, address, details } = entry;
  return (
    <tr>
      <td class="text-end text-body-secondary">{sequence}</td>
      <td>
        <Time at={at} />
      </td>
      <td>
        {actor_id === null ? '–' : <Narrow text={actor_email ?? actor_id} onClick={() => narrow({ actor_id })} />}
        {scheme && <div class="small text-body-secondary">{scheme}</div>}
      </td>
      <td>
        <Narrow text={action} onClick={() => narrow({ action })} />
      </td>
      <td>
        {object_id === null ? object_kind : <Narrow text={object_kind} onClick={() => narrow({ object_kind, object_id })} />}
        {object_id && <div class="small text-body-secondary font-monospace text-nowrap">{object_id.slice(0, 8)}</div>}
      </td>
      <td class="text-nowrap">{address ?? '–'}</td>
      <td>
        <details>
          <summary class="audit-details">{detailsText(details) || '–'}</summary>
          <pre class="small">{JSON.stringify(entry, null, 2)}</pre>
        </details>
      </td>
    </tr>
  );
}

const Narrow = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <button type="button" class="btn btn-link btn-sm p-0 align-baseline text-start" title="Show only these" onClick={onClick}>
    {text}
  </button>
);
