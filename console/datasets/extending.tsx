import { useEffect } from 'preact/hooks';
import type { z } from 'zod';
import type { ExtensionProgress } from '../../core/datasets/extension/extension.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface ExtendingProps {
  readonly dataset_id: string;
  readonly onFilled: () => void;
}

/** How far a model is with the rows that it makes up for this dataset. */
export function Extending(props: ExtendingProps) {
  const [view] = useView();
  return view.get('extending') ? <Progress {...props} /> : null;
}

const LOOK_EVERY_MS = 1500;

function Progress({ dataset_id, onFilled }: ExtendingProps) {
  const [, change] = useView();
  const { value, error } = useLoaded(
    `extending ${dataset_id}`,
    (signal) => get<z.output<typeof ExtensionProgress>>(`/datasets/extend/${dataset_id}`, { signal }),
    { everyMs: LOOK_EVERY_MS },
  );
  const hasEnded = value !== undefined && value.steps_completed >= value.steps_total;
  useEffect(() => {
    if (hasEnded) onFilled();
  }, [hasEnded]);
  return (
    <>
      <Failure error={error} />
      {value && (
        <div class="alert alert-info py-2 d-flex gap-3 align-items-center" role="status">
          {!hasEnded && <progress aria-label="Rows made up so far" max={value.steps_total} value={value.steps_completed} />}
          <span class="me-auto">
            {hasEnded ? 'The model is done.' : 'A model makes up rows.'} {value.progress_message}
          </span>
          {hasEnded && (
            <button type="button" class="btn-close" aria-label="Close" onClick={() => change({ extending: undefined })} />
          )}
        </div>
      )}
    </>
  );
}
