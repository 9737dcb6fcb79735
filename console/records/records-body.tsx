import { useState } from 'preact/hooks';
import { type Descriptors, defaultColumns, shownColumn } from './column.ts';
import type { Place } from './level.ts';
import { PageTurns } from './page-turns.tsx';
import { RecordTable } from './record-table.tsx';
import type { RecordPage } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StatusLine } from './status-line.tsx';
import type { RecordsView } from './view.ts';

interface RecordsBodyProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly page: RecordPage;
  readonly arrived: ReadonlySet<string>;
  readonly descriptors: Descriptors;
  readonly reload: () => void;
}

/** The table with what stands around it. What is selected stays so while the rows come and go. */
export function RecordsBody({ place, view, page, arrived, descriptors, reload }: RecordsBodyProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deletions, setDeletions] = useState(0);
  const { records } = page;
  const ids = view.columns ?? defaultColumns(view.level, descriptors, records);
  const columns = ids.map((id) => shownColumn(id, view.level, descriptors, records));
  return (
    <>
      <div class="d-flex gap-3 align-items-center mb-1 records-line">
        <StatusLine place={place} view={view} arrived={arrived.size} deletions={deletions} />
        <SelectionBar
          place={place}
          selected={selected}
          onClear={() => setSelected(new Set())}
          onDeleted={() => {
            setSelected(new Set());
            setDeletions(deletions + 1);
            reload();
          }}
        />
        <PageTurns page={page} />
      </div>
      {records.length === 0 ? (
        <NothingFound view={view} />
      ) : (
        <RecordTable
          place={place}
          view={view}
          records={records}
          columns={columns}
          arrived={arrived}
          selected={selected}
          onSelect={setSelected}
        />
      )}
    </>
  );
}

const NothingFound = ({ view }: { view: RecordsView }) => (
  <p class="text-body-secondary py-4 text-center" role="status">
    {view.after || view.before
      ? 'There is nothing on this page any more. Turn to the first page.'
      : `No ${view.level} is found by these filters. Take one away, or look for fewer words.`}
  </p>
);
