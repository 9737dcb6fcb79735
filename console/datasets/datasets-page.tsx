import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { post } from '../api/client.ts';
import { Dialog } from '../kit/dialog.tsx';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { parseSort, sortText } from '../kit/sort-header.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';
import { DatasetTable } from './dataset-table.tsx';
import { EmptyDatasetForm } from './empty-dataset-form.tsx';
import { ImportForm } from './import-form.tsx';

type DatasetPage = PageFields & { readonly datasets: readonly Dataset[] };
const LIMIT = 50;
const NEWEST_FIRST = '-created_at';

export function DatasetsPage() {
  const [view, change] = useView();
  const [creating, setCreating] = useState(false);
  const name = view.get('name') ?? '';
  const order = view.get('sort') ?? NEWEST_FIRST;
  const starting_token = startIn(view);
  const filters = name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }];
  const loaded = useLoaded(`datasets ${name} ${order} ${starting_token}`, (signal) =>
    post<DatasetPage>(
      '/datasets/query',
      { filters, sort: parseSort(order) },
      { query: { starting_token, limit: LIMIT, actions: ['delete'] }, signal },
    ),
  );
  return (
    <>
      <div class="d-flex gap-2 align-items-center mb-3">
        <h1 class="h4 mb-0 me-auto">Datasets</h1>
        <ViewSearch label="Find datasets by name" />
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New dataset
        </button>
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.datasets.length === 0 && name === '' ? (
            <Empty title="No datasets yet">
              <p>
                A dataset holds rows to try an application or a prompt on, and the answers that are right. Bring a CSV, JSON, JSON
                lines or Parquet file, or begin with an empty one.
              </p>
            </Empty>
          ) : (
            <>
              <DatasetTable
                datasets={page.datasets}
                sort={parseSort(order)}
                onSort={(sort) => change({ sort: sortText(sort), from: undefined })}
                onDeleted={loaded.reload}
              />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && <NewDatasetDialog onClose={() => setCreating(false)} onMade={loaded.reload} />}
    </>
  );
}

const WAYS = { file: 'From a file', hand: 'By hand' } as const;
type Way = keyof typeof WAYS;

/** Where a dataset comes from is chosen first. */
function NewDatasetDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [way, setWay] = useState<Way>('file');
  return (
    <Dialog title="New dataset" onClose={onClose}>
      <fieldset class="btn-group mb-3">
        <legend class="visually-hidden">Where the rows come from</legend>
        {(Object.keys(WAYS) as Way[]).map((one) => (
          <button
            key={one}
            type="button"
            class={`btn btn-sm btn-outline-secondary ${one === way ? 'active' : ''}`}
            aria-pressed={one === way}
            onClick={() => setWay(one)}
          >
            {WAYS[one]}
          </button>
        ))}
      </fieldset>
      {way === 'file' ? <ImportForm onMade={onMade} /> : <EmptyDatasetForm />}
    </Dialog>
  );
}
