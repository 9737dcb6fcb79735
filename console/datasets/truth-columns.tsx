import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import type { TruthColumnMap } from '../../core/health/truth-column-service.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { get, patch, post } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface TruthColumnsDialogProps {
  readonly dataset: Dataset;
  readonly onClose: () => void;
}

/** Scorers that are shown; more are found by the API. */
const MOST = 100;
const USUAL = { id: '', label: 'mgt, where there is one' };

/** Chooses the column that holds what is right for a scorer, for its health and calibration. */
export function TruthColumnsDialog({ dataset: { id, column_names }, onClose }: TruthColumnsDialogProps) {
  const path = `/datasets/${id}/ground_truth_columns`;
  const loaded = useLoaded(path, async (signal) => {
    const [{ columns }, { scorers }] = await Promise.all([
      get<TruthColumnMap>(`/datasets/${id}/ground_truth_columns`, { signal }),
      post<{ scorers: readonly Scorer[] }>('/scorers/list', {}, { query: { limit: MOST }, signal }),
    ]);
    return { columns, scorers };
  });
  const [changed, setChanged] = useState<Readonly<Record<string, string | null>>>({});
  return (
    <FormDialog
      title="Ground-truth columns"
      verb="Save"
      onClose={onClose}
      onSubmit={() => patch(`/datasets/${id}/ground_truth_columns`, { columns: changed })}
    >
      <p>Health and calibration of a scorer compare its scores with this column.</p>
      <Show loaded={loaded}>
        {({ columns, scorers }) => (
          <div class="scorer-list">
            {scorers.map(({ id: scorer_id, name, label }) => (
              <Choice
                key={scorer_id}
                small
                label={label || name}
                choices={[USUAL, ...(column_names ?? [])]}
                value={changed[scorer_id] === null ? '' : (changed[scorer_id] ?? columns[scorer_id] ?? '')}
                onChoose={(column) => setChanged({ ...changed, [scorer_id]: column === '' ? null : column })}
              />
            ))}
          </div>
        )}
      </Show>
    </FormDialog>
  );
}
