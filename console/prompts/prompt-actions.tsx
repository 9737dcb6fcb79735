import { useState } from 'preact/hooks';
import type { Template } from '../../core/prompts/template.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';

interface PromptActionsProps {
  readonly template: Template;
  /** Of the prompt, in the API. */
  readonly path: string;
  readonly onChanged: () => void;
}

export function PromptActions({ template: { name }, path, onChanged }: PromptActionsProps) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setRenaming(true)}>
        Rename
      </button>
      <ConfirmButton
        label="Delete"
        question={`Delete ${name} with all its versions? This cannot be undone.`}
        onConfirm={async () => {
          await remove(path);
          navigate('/prompts');
        }}
      />
      {isRenaming && (
        <FormDialog
          title="Rename"
          verb="Rename"
          onClose={() => setRenaming(false)}
          onSubmit={async (values) => {
            await patch(path, { name: values.get('name') });
            onChanged();
          }}
        >
          <TextField label="Name" name="name" value={name} required />
        </FormDialog>
      )}
    </>
  );
}
