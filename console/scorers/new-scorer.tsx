import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { post } from '../api/client.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { changedPath } from '../kit/view-changes.ts';
import { listKinds, scorerPath } from './scorer-calls.ts';
import { readScorerFields, ScorerForm } from './scorer-form.tsx';

interface NewScorerProps {
  /** The log stream that the first version will be tried on. */
  readonly on?: { readonly project_id: string; readonly log_stream_id: string };
  readonly onClose: () => void;
}

/** Leads on to where the first version is written: without one a scorer says nothing. */
export function NewScorerDialog({ on, onClose }: NewScorerProps) {
  const kinds = useLoaded('scorer kinds', listKinds);
  const [type, setType] = useState('code');
  const create = async (values: FormData): Promise<void> => {
    const { id } = await post<Scorer>('/scorers', { ...readScorerFields(values), scorer_type: type });
    navigate(changedPath(`${scorerPath(id)}/editor`, { project: on?.project_id, log_stream: on?.log_stream_id }));
  };
  return (
    <FormDialog title="New scorer" verb="Create" onClose={onClose} onSubmit={create}>
      <fieldset class="mb-3">
        <legend class="form-label fs-6">Kind</legend>
        <Show loaded={kinds}>
          {(all) => (
            <>
              {all.map(({ scorer_type, label, summary }) => (
                <label key={scorer_type} class="form-check">
                  <input
                    class="form-check-input"
                    type="radio"
                    name="scorer_type"
                    checked={type === scorer_type}
                    onChange={() => setType(scorer_type)}
                  />
                  <span class="form-check-label">
                    {label} <span class="text-body-secondary">{summary}</span>
                  </span>
                </label>
              ))}
            </>
          )}
        </Show>
      </fieldset>
      <ScorerForm scorer_type={type} />
    </FormDialog>
  );
}
