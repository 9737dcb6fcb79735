import { useState } from 'preact/hooks';
import { useView } from '../kit/location.ts';
import type { Descriptors } from './column.ts';
import { ColumnDialog } from './column-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Place } from './level.ts';
import { QuickFilterBar } from './quick-filter-bar.tsx';
import type { ShownRecord } from './shown-record.ts';
import { canBeLive } from './use-records.ts';
import { FIRST_PAGE, type RecordsView } from './view.ts';
import { SavedViews } from './views/saved-views.tsx';

interface ToolbarProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly descriptors: Descriptors;
  readonly records: readonly ShownRecord[];
}

/** Choice of rows, columns and filters. */
export function Toolbar({ place, view, descriptors, records }: ToolbarProps) {
  const [, change] = useView();
  const [open, setOpen] = useState<'columns' | 'export'>();
  return (
    <>
      {place.level !== 'session' && <WordSearch key={view.words} words={view.words} />}
      <QuickFilterBar view={view} descriptors={descriptors} />
      <FilterBar filters={view.filters} tree={view.tree} descriptors={descriptors} level={place.level} />
      <div class="ms-auto d-flex gap-2 align-items-center">
        <LiveSwitch view={view} />
        <SavedViews place={place} view={view} />
        {place.level !== 'session' && (
          <button
            type="button"
            class={`btn btn-sm btn-outline-secondary ${view.facets ? 'active' : ''}`}
            aria-pressed={view.facets}
            onClick={() => change({ facets: view.facets ? undefined : 'on' })}
          >
            Facets
          </button>
        )}
        <button
          type="button"
          class={`btn btn-sm btn-outline-secondary ${view.tall ? 'active' : ''}`}
          aria-pressed={view.tall}
          onClick={() => change({ rows: view.tall ? undefined : 'tall' })}
        >
          Row height
        </button>
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={!descriptors}
          aria-haspopup="dialog"
          onClick={() => setOpen('columns')}
        >
          Columns
        </button>
        <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('export')}>
          Export
        </button>
      </div>
      {open === 'columns' && (
        <ColumnDialog view={view} descriptors={descriptors} records={records} onClose={() => setOpen(undefined)} />
      )}
      {open === 'export' && (
        <ExportDialog place={place} view={view} descriptors={descriptors} records={records} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

/** Searches when it is sent off: each word typed would be a search of a whole log stream. */
function WordSearch({ words }: { words: string }) {
  const [, change] = useView();
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change({ ...FIRST_PAGE, match: undefined, words: String(new FormData(event.currentTarget).get('words') ?? '') });
        }}
      >
        <input
          class="form-control form-control-sm record-search"
          type="search"
          name="words"
          aria-label="Find records by words"
          placeholder="Search name, input, output"
          defaultValue={words}
          // The field's own cross empties it.
          onInput={(event) =>
            event.currentTarget.value === '' && words !== '' && change({ ...FIRST_PAGE, match: undefined, words: undefined })
          }
        />
      </form>
    </search>
  );
}

function LiveSwitch({ view }: { view: RecordsView }) {
  const [, change] = useView();
  const isPossible = canBeLive(view);
  return (
    <div class="form-check form-switch mb-0" title={isPossible ? undefined : 'On the first page, newest first'}>
      <input
        class="form-check-input"
        type="checkbox"
        role="switch"
        aria-checked={view.live && isPossible}
        id="records-live"
        checked={view.live && isPossible}
        disabled={!isPossible}
        onChange={(event) => change({ live: event.currentTarget.checked ? undefined : 'off' })}
      />
      <label class="form-check-label" for="records-live">
        Live
      </label>
    </div>
  );
}
