import { useState } from 'preact/hooks';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { clipped } from '../kit/formatting.ts';
import { CellDialog } from './cell-dialog.tsx';
import { getCellKind } from './cell-value.ts';
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
            {isRemoved ? 'Restore' : 'Delete'}
          </button>
        </td>
      )}
    </tr>
  );
}

interface CellProps {
  readonly title: string;
  readonly value: DatasetValue | undefined;
  /** Undefined: to be read only. */
  readonly onChange: ((value: DatasetValue) => void) | undefined;
}

const LONGEST_SHOWN = 600;

/** A value, clipped; pressed, all of it, to be read or changed. */
export function Cell({ title, value, onChange }: CellProps) {
  const [open, setOpen] = useState(false);
  const kind = getCellKind(value);
  const text = shownText(value);
  return (
    <>
      <button
        type="button"
        class={`cell cell-${kind}`}
        aria-label={`${title}: ${clipped(text)}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span dir="auto">{clipped(text, LONGEST_SHOWN)}</span>
      </button>
      {open && <CellDialog title={title} value={value} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  );
}

function shownText(value: DatasetValue | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (value === '') return 'empty text';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
