import { useEffect, useState } from 'preact/hooks';
import { numberText } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { type Descriptors, defaultColumns, shownColumn } from './column.ts';
import { Facets } from './facets.tsx';
import { FirstSession } from './first-session.tsx';
import { hidesImplicit } from './implicit-sessions.ts';
import { levelWord, type Place } from './level.ts';
import { BesideRecords } from './panel/beside-records.tsx';
import { RecordTable } from './record-table.tsx';
import { countRecords, type RecordPage, toSearchSelection } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { hasWords } from './text-search.ts';
import { FIRST_PAGE, isSelective, type RecordsView } from './view.ts';

interface RecordsBodyProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly page: RecordPage;
  readonly arrived: ReadonlySet<string>;
  readonly descriptors: Descriptors;
  readonly reload: () => void;
  /** Counts may be as expensive as the page itself, which somebody asked for all the same. */
  readonly isAllowed: boolean;
}

/** The table with what stands around it. What is selected stays so while the rows come and go. */
export function RecordsBody({ place, view, page, arrived, descriptors, reload, isAllowed }: RecordsBodyProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deletions, setDeletions] = useState(0);
  const { records } = page;
  const isCounted = view.facets && place.level !== 'session';
  const ids = view.columns ?? defaultColumns(view.level, descriptors, records);
  const columns = ids.map((id) => shownColumn(id, view.level, descriptors, records));
  return (
    <>
      <div class="d-flex gap-3 align-items-center mb-1 records-line">
        <StatusLine place={place} view={view} arrived={arrived.size} deletions={deletions} isAllowed={isAllowed} />
        <SelectionBar
          place={place}
          view={view}
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
      <BesideRecords place={place} page={page}>
        <div class={isCounted ? 'with-facets' : undefined}>
          {isCounted && <Facets place={place} view={view} descriptors={descriptors} />}
          {records.length === 0 ? (
            <NothingFound place={place} view={view} />
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
        </div>
      </BesideRecords>
    </>
  );
}

/** Whole words are found by their index. When none is, parts of them are looked for, which takes a pass over the records. */
function NothingFound({ place, view }: { place: Place; view: RecordsView }) {
  const [, change] = useView();
  const isOffPage = view.after !== undefined || view.before !== undefined;
  const canWiden = !isOffPage && !view.isPart && hasWords(view.words);
  useEffect(() => {
    if (canWiden) change({ match: 'part' }, 'unnoticed');
  }, [canWiden, change]);
  if (hidesImplicit(view) && !isSelective(view) && !isOffPage) return <FirstSession place={place} />;
  return (
    <p class="text-body-secondary py-4 text-center" role="status">
      {isOffPage
        ? 'There is nothing on this page any more. Turn to the first page.'
        : canWiden
          ? 'No whole words match. Searching parts of words …'
          : `No ${levelWord(view.level, 2)} match. Remove a filter or search term.`}
    </p>
  );
}

/** Turns pages by the records at their edges: what comes in meanwhile moves nothing, and a late page is found as fast as the first. */
function PageTurns({ page: { records, hasBefore, hasNext } }: { page: RecordPage }) {
  const [view, change] = useView();
  const isFirst = !view.has('after') && !view.has('before');
  if (isFirst && !hasNext) return null;
  const [first, last] = [records.at(0)?.id, records.at(-1)?.id];
  return (
    <nav aria-label="Pages" class="btn-group btn-group-sm ms-auto">
      <TurnButton label="First" isPossible={!isFirst} turn={() => change(FIRST_PAGE)} />
      <TurnButton
        label="Previous"
        isPossible={hasBefore && first !== undefined}
        turn={() => change({ ...FIRST_PAGE, before: first })}
      />
      <TurnButton label="Next" isPossible={hasNext && last !== undefined} turn={() => change({ ...FIRST_PAGE, after: last })} />
    </nav>
  );
}

interface TurnButtonProps {
  readonly label: string;
  readonly isPossible: boolean;
  readonly turn: () => void;
}

const TurnButton = ({ label, isPossible, turn }: TurnButtonProps) => (
  <button type="button" class="btn btn-outline-secondary" disabled={!isPossible} onClick={turn}>
    {label}
  </button>
);

interface StatusLineProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly arrived: number;
  /** How often records were deleted here. */
  readonly deletions: number;
  readonly isAllowed: boolean;
}

/** How many records there are, counted once the rows are on the screen, and how many of them came since. */
function StatusLine({ place, view, arrived, deletions, isAllowed }: StatusLineProps) {
  const key = `count ${JSON.stringify([place, toSearchSelection(place, view), isAllowed])}`;
  const { value, error, reload } = useLoaded(key, (signal) => countRecords(place, view, signal, isAllowed));
  useEffect(() => {
    if (arrived > 0 || deletions > 0) reload();
  }, [arrived, deletions, reload]);
  const counted = value === undefined ? (error ? 'Not counted' : 'Counting …') : numberText(value);
  return (
    <span role="status">
      {counted}
      {value !== undefined && ` ${levelWord(view.level, value)}`}
      {arrived > 0 && <strong class="ms-2">{numberText(arrived)} new</strong>}
    </span>
  );
}
