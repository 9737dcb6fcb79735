import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { newId } from '../kit/new-id.ts';
import type { AddedRow } from './draft.ts';

interface AddRowDialogProps {
  readonly columns: readonly string[];
  readonly onAdd: (row: AddedRow) => void;
  readonly onClose: () => void;
}

/** A new row in texts; what is left empty is nothing. Numbers and maps are made of them in the table. */
export const AddRowDialog = ({ columns, onAdd, onClose }: AddRowDialogProps) => (
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
