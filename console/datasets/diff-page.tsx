import type { Dataset } from '../../core/datasets/dataset.ts';
import type { DatasetDiff } from '../../core/datasets/diff.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { DatasetHead } from './dataset-head.tsx';
import { DiffHead } from './diff-head.tsx';
import { DiffRow } from './diff-row.tsx';

const LIMIT = 50;

/** Differences between two versions of a dataset. */
export const DiffPage = ({ params }: { params: Record<string, string> }) => (
  <DatasetHead dataset_id={params.dataset_id!} part="versions">
    {(dataset) => <Diff dataset={dataset} />}
  </DatasetHead>
);

function Diff({ dataset: { id, current_version_index: current } }: { dataset: Dataset }) {
  const [view, change] = useView();
  const to = Number(view.get('to') ?? current);
  const from = Number(view.get('from') ?? Math.max(1, to - 1));
  const at = Number(view.get('at') ?? 0);
  const loaded = useLoaded(`diff ${id} ${from} ${to} ${at}`, (signal) =>
    get<DatasetDiff>(`/datasets/${id}/versions/${from}/diff/${to}`, { query: { starting_token: at, limit: LIMIT }, signal }),
  );
  return (
    <>
      <DiffHead newest={current} from={from} to={to} onChange={(changes) => change({ ...changes, at: undefined })} />
      <Show loaded={loaded}>
        {(diff) => (
          <>
            <Summary diff={diff} />
            {diff.rows.map((row) => (
              <DiffRow key={row.row_id} row={row} />
            ))}
            {diff.rows.length === 0 && <Empty title="The rows of both versions are the same" />}
            <Turns diff={diff} onTurn={(token) => change({ at: token === 0 ? undefined : String(token) })} />
          </>
        )}
      </Show>
    </>
  );
}

function Summary({ diff: { summary, columns_added, columns_removed, columns_renamed } }: { diff: DatasetDiff }) {
  const columns = [
    ...columns_added.map((name) => `${name} added`),
    ...columns_removed.map((name) => `${name} removed`),
    ...columns_renamed.map(({ from, to }) => `${from} is now ${to}`),
  ];
  return (
    <p class="d-flex gap-2 align-items-center" role="status">
      {summary && (
        <>
          <span class="badge diff-edited">{summary.rows_edited} edited</span>
          <span class="badge diff-added">{summary.rows_added} added</span>
          <span class="badge diff-removed">{summary.rows_removed} deleted</span>
        </>
      )}
      {columns.length > 0 && <span>Columns: {columns.join(', ')}</span>}
    </p>
  );
}

/** Pages of a diff begin at rows, not at counts: one can go on, or to the beginning. */
const Turns = ({ diff, onTurn }: { diff: DatasetDiff; onTurn: (token: number) => void }) => (
  <nav aria-label="Pages" class="d-flex gap-2 justify-content-end">
    {diff.starting_token !== 0 && (
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => onTurn(0)}>
        From the beginning
      </button>
    )}
    {diff.next_starting_token !== null && (
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => onTurn(diff.next_starting_token ?? 0)}>
        Next
      </button>
    )}
  </nav>
);
