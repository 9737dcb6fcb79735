import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { post } from '../api/client.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { scorerPath } from './scorer-calls.ts';
import { readScorerFields, ScorerForm } from './scorer-form.tsx';

const TYPES = [
  { type: 'code', label: 'Code', help: 'A function in JavaScript or TypeScript.' },
  { type: 'llm', label: 'Judge', help: 'A language model that is asked for a verdict.' },
] as const;

/** Leads on to where the first version is written: without one a scorer says nothing. */
export function NewScorerDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<'code' | 'llm'>('code');
  const create = async (values: FormData): Promise<void> => {
    const { id } = await post<Scorer>('/scorers', { ...readScorerFields(values), scorer_type: type });
    navigate(`${scorerPath(id)}/editor`);
  };
  return (
    <FormDialog title="New scorer" verb="Create" onClose={onClose} onSubmit={create}>
      <fieldset class="mb-3">
        <legend class="form-label fs-6">Type</legend>
        {TYPES.map((one) => (
          <label key={one.type} class="form-check">
            <input
              class="form-check-input"
              type="radio"
              name="scorer_type"
              checked={type === one.type}
              onChange={() => setType(one.type)}
            />
            <span class="form-check-label">
              {one.label} <span class="text-body-secondary">{one.help}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ScorerForm scorer_type={type} />
    </FormDialog>
  );
}
