import { useState } from 'preact/hooks';
import { Dialog } from '../kit/dialog.tsx';
import { EmptyDatasetForm } from './empty-dataset-form.tsx';
import { ImportForm } from './import-form.tsx';

const WAYS = { file: 'From a file', hand: 'By hand' } as const;
type Way = keyof typeof WAYS;

/** Where a dataset comes from is chosen first. */
export function NewDatasetDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
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
