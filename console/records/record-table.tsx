import { useState } from 'preact/hooks';
import { useBookmarks } from '../bookmarks/use-bookmarks.ts';
import { useView } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import type { ShownColumn } from './column.ts';
import { type Place, toRunIds } from './level.ts';
import { RecordRow } from './record-row.tsx';
import type { ShownRecord } from './shown-record.ts';
import { type RecordsView, type Sort, sortChanges } from './view.ts';

interface RecordTableProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly records: readonly ShownRecord[];
  readonly columns: readonly ShownColumn[];
  readonly arrived: ReadonlySet<string>;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** One tab stop for all rows: arrow keys go from row to row. */
export function RecordTable({ place, view, records, columns, arrived, selected, onSelect }: RecordTableProps) {
  const bookmarks = useBookmarks(place.project_id, toRunIds(place));
  const [reached, setReached] = useState<string>();
  const stop = records.some(({ id }) => id === reached) ? reached : records[0]?.id;
  const isAll = records.every(({ id }) => selected.has(id));
  const pick = (ids: readonly string[], isOn: boolean): void => {
    const left = new Set(selected);
    for (const id of ids) isOn ? left.add(id) : left.delete(id);
    onSelect(left);
  };
  return (
    <div class="records-scroll">
      <Failure error={bookmarks.error} />
      <table class={`table table-hover table-rows records ${view.tall ? 'tall' : ''}`}>
        <thead>
          <tr>
            <th scope="col">
              <input
                class="form-check-input"
                type="checkbox"
                aria-label="Select all of the page"
                checked={isAll}
                onChange={({ currentTarget }) =>
                  pick(
                    records.map(({ id }) => id),
                    currentTarget.checked,
                  )
                }
              />
            </th>
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sort={view.sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <RecordRow
              key={record.id}
              place={place}
              record={record}
              columns={columns}
              isNew={arrived.has(record.id)}
              isSelected={selected.has(record.id)}
              isBookmarked={bookmarks.has(record.id)}
              onBookmark={() => bookmarks.toggle(record.id)}
              isTabStop={record.id === stop}
              onReach={() => setReached(record.id)}
              onPick={(isOn) => pick([record.id], isOn)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Sorts by its column when pressed: the greatest first, by text from A; pressed again, the other way round. */
function ColumnHead({ column, sort }: { column: ShownColumn; sort: Sort }) {
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
