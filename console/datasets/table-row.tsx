import type { DatasetValue } from '../../core/datasets/row.ts';
import { Cell } from './cell.tsx';
import type { Values } from './draft.ts';

interface RowOfTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly values: Values;
  /** The columns of a stored row that the draft changes. */
  readonly changed?: Values | undefined;
  readonly state: 'stored' | 'removed' | 'added';
  readonly isEditable: boolean;
  readonly onCell: (column: string, value: DatasetValue) => void;
  readonly onRemove: (isRemoved: boolean) => void;
}

export function RowOfTable({ label, columns, values, changed, state, isEditable, onCell, onRemove }: RowOfTableProps) {
  const isRemoved = state === 'removed';
  return (
    <tr class={`row-${state}`}>
      <th scope="row" class="text-end fw-normal">
        {label}
      </th>
      {columns.map((column) => (
        <td key={column} class={changed && Object.hasOwn(changed, column) ? 'cell-changed' : undefined}>
          <Cell
            title={`Row ${label}, ${column}`}
            value={values[column]}
            onChange={isEditable && !isRemoved ? (value) => onCell(column, value) : undefined}
          />
        </td>
      ))}
      {isEditable && (
        <td class="text-end">
          <button
            type="button"
            class="btn btn-sm btn-link p-0 text-decoration-none"
            aria-label={isRemoved ? `Keep row ${label}` : `Delete row ${label}`}
            onClick={() => onRemove(!isRemoved)}
          >
            {isRemoved ? 'Keep' : 'Delete'}
          </button>
        </td>
      )}
    </tr>
  );
}
