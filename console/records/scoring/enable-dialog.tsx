import { useState } from 'preact/hooks';
import type { PageFields } from '../../../core/kernel/query/page.ts';
import type { Scorer } from '../../../core/scorers/scorer-view.ts';
import { post } from '../../api/client.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Failure, Show } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { CostForecastText } from './cost-forecast.tsx';
import type { ChangeSettings, Entry, RunPlace } from './settings.ts';

interface EnableDialogProps {
  /** A log stream, of whose traffic the costs are forecast. */
  readonly place?: RunPlace;
  readonly enabled: readonly Entry[];
  readonly change: ChangeSettings;
  readonly onClose: () => void;
}

type ScorerPage = PageFields & { readonly scorers: readonly Scorer[] };
const LIMIT = 50;

/** Models cost money; programs do not. */
const asksModels = (model_type: string | null): boolean => model_type === 'llm' || model_type === 'slm';

/** Scorers that are not enabled here, found by name. One without a version has nothing to run. */
export function EnableDialog({ place, enabled, change, onClose }: EnableDialogProps) {
  const [name, setName] = useState('');
  const filters = name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }];
  const loaded = useLoaded(`scorers named ${name}`, (signal) =>
    post<ScorerPage>('/scorers/list', { filters }, { query: { limit: LIMIT }, signal }),
  );
  const enable = useAction(async (id: string) => {
    await change(({ scorers }) => ({ scorers: [...scorers, { id }] }));
    onClose();
  });
  const isFree = ({ id, default_version_id }: Scorer): boolean =>
    default_version_id !== null && !enabled.some((entry) => entry.id === id);
  return (
    <Dialog title="Enable a scorer" onClose={onClose}>
      <input
        class="form-control mb-2"
        type="search"
        aria-label="Find scorers by name"
        placeholder="Name"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Failure error={enable.error} />
      <Show loaded={loaded}>
        {({ scorers }) => (
          <ul class="list-group scorer-list">
            {scorers.filter(isFree).map(({ id, label, name: own, description, model_type }) => (
              <li class="list-group-item d-flex gap-2 align-items-center" key={id}>
                <div class="me-auto">
                  {label || own} <span class="text-body-secondary small">{model_type}</span>
                  {description && <div class="small text-body-secondary">{description}</div>}
                  {place && asksModels(model_type) && <CostForecastText place={place} id={id} name={label || own} />}
                </div>
                <button
                  type="button"
                  class="btn btn-sm btn-outline-secondary"
                  aria-label={`Enable ${label || own}`}
                  disabled={enable.busy}
                  onClick={() => enable.run(id)}
                >
                  Enable
                </button>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Dialog>
  );
}
