import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { newId } from '../kit/new-id.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { type AddedRow, type Base, countChanges, emptyDraft, withAdded } from './draft.ts';
import { dropDraft, getPending, keepDraft } from './drafts.ts';
import { EditConflictNotice } from './edit-conflict.tsx';
import { saveDraft } from './save-draft.ts';

interface SaveBarProps {
  readonly dataset: Dataset;
  readonly base: Base;
  readonly columns: readonly string[];
  readonly onSaved: () => void;
}

/** Changes are typed first and saved together, as one version. */
export function SaveBar({ dataset, base, columns, onSaved }: SaveBarProps) {
  const { id } = dataset;
  const [adding, setAdding] = useState(false);
  const pending = getPending(id);
  const draft = pending?.draft ?? emptyDraft(base);
  const count = countChanges(draft);
  const saving = useAction(async () => {
    const editConflict = await saveDraft(id, draft);
    if (editConflict) keepDraft(id, editConflict.draft, editConflict);
    else dropDraft(id);
    onSaved();
  });
  return (
    <>
      {pending?.editConflict && <EditConflictNotice dataset_id={id} draft={draft} editConflict={pending.editConflict} />}
      <Failure error={saving.error} />
      <div class={`d-flex gap-2 align-items-center mb-2 ${count > 0 ? 'save-bar' : ''}`}>
        <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setAdding(true)}>
          Add row
        </button>
        {count > 0 && (
          <>
            <span class="me-auto" role="status">
              {count} {count === 1 ? 'row is' : 'rows are'} changed and not saved
            </span>
            <ConfirmButton
              label="Discard"
              question="Forget everything that was typed since the last save?"
              onConfirm={async () => dropDraft(id)}
            />
            <button type="button" class="btn btn-sm btn-primary" disabled={saving.busy} onClick={() => void saving.run()}>
              Save as a new version
            </button>
          </>
        )}
      </div>
      {adding && (
        <AddRowDialog columns={columns} onClose={() => setAdding(false)} onAdd={(row) => keepDraft(id, withAdded(draft, row))} />
      )}
    </>
  );
}

interface AddRowDialogProps {
  readonly columns: readonly string[];
  readonly onAdd: (row: AddedRow) => void;
  readonly onClose: () => void;
}

/** A new row in texts; what is left empty is nothing. Numbers and maps are made of them in the table. */
const AddRowDialog = ({ columns, onAdd, onClose }: AddRowDialogProps) => (
  <FormDialog
    title="Add row"
    verb="Add"
    wide
    onClose={onClose}
    onSubmit={async (given) => {
      const filled = columns.map((column, at) => [column, String(given.get(`column ${at}`))] as const);
      onAdd({ row_id: newId(), values: Object.fromEntries(filled.filter(([, text]) => text !== '')) });
    }}
  >
    {columns.map((column, at) => (
      <Field key={column} label={column}>
        {(id) => <textarea class="form-control" id={id} name={`column ${at}`} rows={3} />}
      </Field>
    ))}
  </FormDialog>
);
