import type { Dataset, ProjectOfDataset } from '../../core/datasets/dataset.ts';
import { get } from '../api/client.ts';
import { toHref } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { Sharing } from '../sharing/sharing.tsx';
import { DatasetHead } from './dataset-head.tsx';
import { may } from './permissions.ts';

const MOST = 1000;

/** Who sees a dataset, and which projects use it. */
export const SharingPage = ({ params }: { params: Record<string, string> }) => (
  <DatasetHead dataset_id={params.dataset_id!} part="sharing">
    {(dataset) => (
      <>
        <Sharing path={`/datasets/${dataset.id}`} mayShare={may(dataset, 'share')} />
        <UsedIn dataset={dataset} />
      </>
    )}
  </DatasetHead>
);

function UsedIn({ dataset: { id } }: { dataset: Dataset }) {
  const path = `/datasets/${id}/projects`;
  const loaded = useLoaded(path, (signal) =>
    get<{ projects: readonly ProjectOfDataset[] }>(path, { query: { limit: MOST }, signal }),
  );
  return (
    <section>
      <h2 class="h6">Used in</h2>
      <Show loaded={loaded}>
        {({ projects }) =>
          projects.length === 0 ? (
            <p class="text-body-secondary">No project yet. An experiment over its rows uses it.</p>
          ) : (
            <ul class="list-unstyled">
              {projects.map((project) => (
                <li key={project.id}>
                  <a href={toHref(`/projects/${project.id}`)}>{project.name}</a>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}
