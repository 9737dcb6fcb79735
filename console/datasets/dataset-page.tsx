import type { Dataset } from '../../core/datasets/dataset.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView, type ViewChanges } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';
import { DatasetActions } from './dataset-actions.tsx';
import { DatasetHead } from './dataset-head.tsx';
import { Extending } from './extending.tsx';
import { OldVersionBar } from './old-version.tsx';
import { may } from './permissions.ts';
import { readRows } from './rows.ts';
import { RowsTable } from './rows-table.tsx';
import { SaveBar } from './save-bar.tsx';

const LIMIT = 50;

/** The rows of a dataset, of its current version unless the address names another one. */
export const DatasetPage = ({ params }: { params: Record<string, string> }) => (
  <DatasetHead
    dataset_id={params.dataset_id!}
    part=""
    actions={(dataset, reload) => <DatasetActions dataset={dataset} onChanged={reload} />}
  >
    {(dataset, reload) => <Rows dataset={dataset} reload={reload} />}
  </DatasetHead>
);

function Rows({ dataset, reload }: { dataset: Dataset; reload: () => void }) {
  const [view, change] = useView();
  const { id, current_version_index } = dataset;
  const version_index = Number(view.get('version') ?? current_version_index);
  const isCurrent = version_index === current_version_index;
  const starting_token = startIn(view);
  const value = isCurrent ? (view.get('contains') ?? '') : '';
  const column_name = view.get('column') ?? dataset.column_names?.[0] ?? 'input';
  const search = value === '' ? undefined : { column_name, value };
  const loaded = useLoaded(`rows ${id} ${version_index} ${starting_token} ${JSON.stringify(search)}`, (signal) =>
    readRows(id, { version_index, starting_token, limit: LIMIT, search }, signal),
  );
  const isEditable = isCurrent && may(dataset, 'update');
  return (
    <>
      <Extending dataset_id={id} onFilled={reload} />
      {isCurrent ? (
        <RowSearchBar columns={dataset.column_names ?? []} column={column_name} onChange={change} />
      ) : (
        <OldVersionBar dataset={dataset} version_index={version_index} onRestored={reload} />
      )}
      <Show loaded={loaded}>
        {({ content, base }) => (
          <>
            {isEditable && <SaveBar dataset={dataset} base={base} columns={content.column_names} onSaved={reload} />}
            <RowsTable dataset_id={id} content={content} base={base} isEditable={isEditable} />
            {content.rows.length === 0 && (
              <Empty title={search ? 'No row has this' : 'No rows yet'}>
                {!search && isEditable && <p>Add a row here, or bring a file under Datasets.</p>}
              </Empty>
            )}
            <ViewPager page={content} />
          </>
        )}
      </Show>
    </>
  );
}

interface RowSearchBarProps {
  readonly columns: readonly string[];
  readonly column: string;
  readonly onChange: (changes: ViewChanges) => void;
}

/** Rows whose cell of one column contains a text. */
const RowSearchBar = ({ columns, column, onChange }: RowSearchBarProps) => (
  <div class="d-flex gap-2 mb-2">
    <BarChoice
      label="Column to search in"
      choices={columns}
      value={column}
      onChoose={(chosen) => onChange({ column: chosen, from: undefined })}
    />
    <ViewSearch label="Find rows by what the column contains" placeholder="Contains" word="contains" />
  </div>
);
