import type { RowDiff } from '../../core/datasets/diff.ts';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { ChangedText } from '../kit/changed-text.tsx';
import { clipped } from '../kit/formatting.ts';
import { cellText } from './cell-value.ts';

const SAID = { added: 'added', removed: 'deleted', edited: 'edited' } as const;

/** One row that differs: an edited one by its changed cells, the others as they are. */
export function DiffRow({ row }: { row: RowDiff }) {
  const { change, index_before, index_after } = row;
  const index = (index_after ?? index_before ?? 0) + 1;
  const moved = index_before !== null && index_after !== null && index_before !== index_after;
  return (
    <section class={`diff-row diff-${change}`} aria-label={`Row ${index}, ${SAID[change]}`}>
      <header class="d-flex gap-2 align-items-baseline">
        <strong>Row {index}</strong>
        <span class={`badge diff-${change}`}>{SAID[change]}</span>
        {moved && <span class="text-body-secondary small">was row {index_before + 1}</span>}
        {change === 'edited' && <Context row={row} />}
      </header>
      {change === 'edited' ? <EditedCells cells={row.cells} /> : <Values values={row.values_after ?? row.values_before ?? {}} />}
    </section>
  );
}

/** By what stayed one knows the row again. */
function Context({ row: { values_after, cells } }: { row: RowDiff }) {
  const changed = new Set(cells.map(({ column_name }) => column_name));
  const [column, value] = Object.entries(values_after ?? {}).find(([name, one]) => !changed.has(name) && one !== null) ?? [];
  if (column === undefined) return null;
  return (
    <span class="text-body-secondary small text-truncate">
      {column}: {clipped(cellText(value), 160)}
    </span>
  );
}

const EditedCells = ({ cells }: { cells: RowDiff['cells'] }) => (
  <>
    {cells.map(({ column_name, before, after }) => (
      <div key={column_name} class="diff-cell">
        <div class="small text-body-secondary">{column_name}</div>
        <ChangedText before={cellText(before)} after={cellText(after)} />
      </div>
    ))}
  </>
);

const Values = ({ values }: { values: Readonly<Record<string, DatasetValue>> }) => (
  <dl class="diff-values mb-0">
    {Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => (
        <div key={column} class="d-flex gap-2">
          <dt class="small text-body-secondary fw-normal">{column}</dt>
          <dd class="mb-0">{cellText(value)}</dd>
        </div>
      ))}
  </dl>
);
