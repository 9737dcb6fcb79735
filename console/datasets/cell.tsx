import { useState } from 'preact/hooks';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { clipped } from '../kit/formatting.ts';
import { CellDialog } from './cell-dialog.tsx';
import { getCellKind } from './cell-value.ts';

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
      <button type="button" class={`cell cell-${kind}`} aria-label={`${title}: ${clipped(text)}`} onClick={() => setOpen(true)}>
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
