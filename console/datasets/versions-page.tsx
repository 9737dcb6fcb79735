import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { DatasetVersion } from '../../core/datasets/version.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { patch, post } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { DatasetHead } from './dataset-head.tsx';
import { may } from './permissions.ts';
import { VersionTable } from './version-table.tsx';

type VersionPage = PageFields & { readonly versions: readonly DatasetVersion[] };
const LIMIT = 50;

/** Every version that a dataset had, newest first: who made it, when, and what it changed. */
export const VersionsPage = ({ params }: { params: Record<string, string> }) => (
  <DatasetHead dataset_id={params.dataset_id!} part="versions">
    {(dataset) => <Versions dataset={dataset} />}
  </DatasetHead>
);

function Versions({ dataset }: { dataset: Dataset }) {
  const [view] = useView();
  const [naming, setNaming] = useState<DatasetVersion>();
  const starting_token = startIn(view);
  const path = `/datasets/${dataset.id}/versions`;
  const loaded = useLoaded(`${path} ${starting_token}`, (signal) =>
    post<VersionPage>(`${path}/query`, {}, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <Show loaded={loaded}>
      {(page) => (
        <>
          <VersionTable dataset={dataset} versions={page.versions} onName={may(dataset, 'update') ? setNaming : undefined} />
          <ViewPager page={page} />
          {naming && (
            <FormDialog
              title={`Name version ${naming.version_index}`}
              verb="Save"
              onClose={() => setNaming(undefined)}
              onSubmit={async (values) => {
                await patch(`${path}/${naming.version_index}`, { name: String(values.get('name')).trim() || null });
                loaded.reload();
              }}
            >
              <TextField label="Name" name="name" value={naming.name ?? ''} help="Left empty, the version has none." />
            </FormDialog>
          )}
        </>
      )}
    </Show>
  );
}
