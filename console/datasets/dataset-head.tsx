import type { ComponentChildren } from 'preact';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { get, post } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { Show } from '../kit/notices.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import '../styles/datasets.css';

interface DatasetHeadProps {
  readonly dataset_id: string;
  readonly part: '' | 'versions' | 'sharing';
  readonly actions?: (dataset: Dataset, reload: () => void) => ComponentChildren;
  readonly children: (dataset: Dataset, reload: () => void) => ComponentChildren;
}

const PARTS = [
  { label: 'Rows', part: '' },
  { label: 'Versions', part: 'versions' },
  { label: 'Sharing', part: 'sharing' },
] as const;
const ACTIONS = ['update', 'delete', 'export', 'rename', 'share'];

/** Head of all views of one dataset. */
export function DatasetHead({ dataset_id, part, actions, children }: DatasetHeadProps) {
  const path = `/datasets/${dataset_id}`;
  const loaded = useLoaded(path, (signal) => toDataset(dataset_id, signal));
  const toAddress = (one: string): string => (one === '' ? path : `${path}/${one}`);
  return (
    <Show loaded={loaded}>
      {(dataset) => (
        <>
          <Crumbs crumbs={[{ label: 'Datasets', path: '/datasets' }]} title={dataset.name}>
            {actions?.(dataset, loaded.reload)}
          </Crumbs>
          <Tabs
            label={`Parts of ${dataset.name}`}
            active={toAddress(part)}
            tabs={PARTS.map((one) => ({ label: one.label, path: toAddress(one.part) }))}
          />
          {children(dataset, loaded.reload)}
        </>
      )}
    </Show>
  );
}

/** Only lists say what the caller may do; they pass hidden datasets by. */
async function toDataset(id: string, signal: AbortSignal): Promise<Dataset> {
  const filters = [{ name: 'id', operator: 'eq', value: id }];
  const [dataset, { datasets }] = await Promise.all([
    get<Dataset>(`/datasets/${id}`, { signal }),
    post<{ datasets: readonly Dataset[] }>('/datasets/query', { filters }, { query: { actions: ACTIONS }, signal }),
  ]);
  return { ...dataset, permissions: datasets[0]?.permissions ?? [] };
}
