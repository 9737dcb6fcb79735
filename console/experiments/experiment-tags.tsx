import { useState } from 'preact/hooks';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { post, put, remove } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

type Tag = Experiment['tags'][string][number];

interface ExperimentTagsProps {
  /** The experiment, as `/projects/…/experiments/…`. */
  readonly path: string;
  readonly tags: Experiment['tags'];
  readonly onChanged: () => void;
}

/** By what an experiment is told from others; put on and taken off. */
export function ExperimentTags({ path, tags, onChanged }: ExperimentTagsProps) {
  /** The tag in the dialog: one to change, or null for a new one. */
  const [edited, setEdited] = useState<Tag | null>();
  const removing = useAction(async (id: string) => {
    await remove(`${path}/tags/${id}`);
    onChanged();
  });
  return (
    <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
      {Object.values(tags)
        .flat()
        .map((tag) => (
          <span key={tag.id} class="badge text-bg-light border fw-normal d-inline-flex gap-1 align-items-center">
            <button
              type="button"
              class="btn btn-link p-0 text-reset text-decoration-none small"
              title="Edit the tag"
              aria-haspopup="dialog"
              onClick={() => setEdited(tag)}
            >
              {tag.key}: {tag.value}
            </button>
            <button
              type="button"
              class="btn-close tag-remove"
              aria-label={`Take tag ${tag.key} off`}
              onClick={() => void removing.run(tag.id)}
            />
          </span>
        ))}
      <button
        type="button"
        class="btn btn-sm btn-link p-0 text-decoration-none"
        aria-haspopup="dialog"
        onClick={() => setEdited(null)}
      >
        Add tag
      </button>
      <Failure error={removing.error} />
      {edited !== undefined && <TagDialog path={path} tag={edited} onChanged={onChanged} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

interface TagDialogProps {
  readonly path: string;
  readonly tag: Tag | null;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

const TagDialog = ({ path, tag, onChanged, onClose }: TagDialogProps) => (
  <FormDialog
    title={tag ? 'Edit tag' : 'Add tag'}
    verb={tag ? 'Save' : 'Add'}
    onClose={onClose}
    onSubmit={async (values) => {
      const body = { key: values.get('key'), value: values.get('value'), tag_type: tag?.tag_type ?? 'generic' };
      await (tag ? put(`${path}/tags/${tag.id}`, body) : post(`${path}/tags`, body));
      onChanged();
    }}
  >
    <TextField label="Key" name="key" value={tag?.key ?? ''} required />
    <TextField label="Value" name="value" value={tag?.value ?? ''} />
  </FormDialog>
);
