import { useState } from 'preact/hooks';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { post, remove } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

interface ExperimentTagsProps {
  /** The experiment, as `/projects/…/experiments/…`. */
  readonly path: string;
  readonly tags: Experiment['tags'];
  readonly onChanged: () => void;
}

/** By what an experiment is told from others; put on and taken off. */
export function ExperimentTags({ path, tags, onChanged }: ExperimentTagsProps) {
  const [adding, setAdding] = useState(false);
  const removing = useAction(async (id: string) => {
    await remove(`${path}/tags/${id}`);
    onChanged();
  });
  return (
    <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
      {Object.values(tags)
        .flat()
        .map(({ id, key, value }) => (
          <span key={id} class="badge text-bg-light border fw-normal d-inline-flex gap-1 align-items-center">
            {key}: {value}
            <button
              type="button"
              class="btn-close tag-remove"
              aria-label={`Take tag ${key} off`}
              onClick={() => void removing.run(id)}
            />
          </span>
        ))}
      <button type="button" class="btn btn-sm btn-link p-0 text-decoration-none" onClick={() => setAdding(true)}>
        Add tag
      </button>
      <Failure error={removing.error} />
      {adding && (
        <FormDialog
          title="Add tag"
          verb="Add"
          onClose={() => setAdding(false)}
          onSubmit={async (values) => {
            await post(`${path}/tags`, { key: values.get('key'), value: values.get('value'), tag_type: 'generic' });
            onChanged();
          }}
        >
          <TextField label="Key" name="key" required />
          <TextField label="Value" name="value" />
        </FormDialog>
      )}
    </div>
  );
}
