import { useView } from '../kit/location.ts';
import type { ShownColumn } from './column.ts';
import { type Sort, sortChanges } from './view.ts';

/** Sorts by its column when pressed: the greatest first, by text from A; pressed again, the other way round. */
export function ColumnHead({ column, sort }: { column: ShownColumn; sort: Sort }) {
  const [, change] = useView();
  const { id, label, kind, isNumeric, isSortable, description } = column;
  const isSorted = sort.column_id === id;
  const ascending = isSorted ? !sort.ascending : kind === 'value' || kind === 'payload';
  return (
    <th
      scope="col"
      class={isNumeric ? 'number' : undefined}
      title={description ?? undefined}
      aria-sort={isSorted ? (sort.ascending ? 'ascending' : 'descending') : undefined}
    >
      {isSortable ? (
        <button type="button" class="sort" onClick={() => change(sortChanges({ column_id: id, ascending }))}>
          {label}
          {isSorted && <span aria-hidden="true"> {sort.ascending ? '↑' : '↓'}</span>}
        </button>
      ) : (
        label
      )}
    </th>
  );
}
