import type { Dataset } from '../../core/datasets/dataset.ts';
import { remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { SortHeader, type SortState } from '../kit/sort-header.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaderCells } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { may } from './permissions.ts';

interface DatasetTableProps {
  readonly datasets: readonly Dataset[];
  readonly sort: SortState;
  readonly onSort: (sort: SortState) => void;
  readonly onDeleted: () => void;
}

const COLUMNS = [
  { name: 'name', label: 'Name' },
  { name: 'num_rows', label: 'Rows', end: true },
  { name: 'created_at', label: 'Created' },
  { name: 'updated_at', label: 'Updated' },
] as const;

export const DatasetTable = ({ datasets, sort, onSort, onDeleted }: DatasetTableProps) => (
  <Table class="table table-hover table-rows">
    <thead>
      <tr>
        {COLUMNS.map((column) => (
          <SortHeader key={column.name} {...column} sort={sort} onSort={onSort} />
        ))}
        <TableHeaderCells of={[{ end: 'Version' }, 'Columns', 'Created by']} actions />
      </tr>
    </thead>
    <tbody>
      {datasets.map((dataset) => (
        <DatasetRow key={dataset.id} dataset={dataset} onDeleted={onDeleted} />
      ))}
    </tbody>
  </Table>
);

const DatasetRow = ({ dataset, onDeleted }: { dataset: Dataset; onDeleted: () => void }) => (
  <tr>
    <td>
      <div>
        <a href={toHref(`/datasets/${dataset.id}`)}>{dataset.name}</a>
      </div>
      {dataset.draft && <span class="badge text-bg-secondary">Draft</span>}
    </td>
    <td class="text-end">{numberText(dataset.num_rows)}</td>
    <td>
      <Time at={dataset.created_at} />
    </td>
    <td>
      <Time at={dataset.updated_at} />
    </td>
    <td class="text-end">{dataset.current_version_index}</td>
    <td class="text-body-secondary dataset-columns">{dataset.column_names?.join(', ')}</td>
    <td>{dataset.created_by_user?.email}</td>
    <td class="text-end">
      {may(dataset, 'delete') && (
        <ConfirmButton
          label="Delete"
          quiet
          question={`Delete ${dataset.name} with all its versions? This cannot be undone.`}
          onConfirm={async () => {
            await remove(`/datasets/${dataset.id}`);
            onDeleted();
          }}
        />
      )}
    </td>
  </tr>
);
