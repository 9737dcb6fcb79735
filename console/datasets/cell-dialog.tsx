import { useState } from 'preact/hooks';
import type { DatasetValue } from '../../core/datasets/row.ts';
import { Choice, worded } from '../kit/choice.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { cellText, getCellKind, type Kind, typedValue } from './cell-value.ts';

interface CellDialogProps {
  readonly title: string;
  readonly value: DatasetValue | undefined;
  readonly onChange: ((value: DatasetValue) => void) | undefined;
  readonly onClose: () => void;
}

const KINDS = worded<Kind>({ text: 'Text', number: 'Number', map: 'Map (JSON)', nothing: 'Nothing' });

export function CellDialog({ title, value, onChange, onClose }: CellDialogProps) {
  const text = cellText(value);
  const [kind, setKind] = useState<Kind>(value === null || value === undefined ? 'text' : getCellKind(value));
  if (!onChange)
    return (
      <Dialog title={title} wide onClose={onClose}>
        {text === '' ? <p class="text-body-secondary mb-0">Empty</p> : <pre>{text}</pre>}
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      verb="Apply"
      wide
      onClose={onClose}
      onSubmit={async (values) => onChange(typedValue(kind, String(values.get('value') ?? '')))}
    >
      <Choice small label="Kind" choices={KINDS} value={kind} onChoose={setKind} />
      {kind !== 'nothing' && (
        <Field label="Value" help="Kept here until you save all changes of the dataset together. Ctrl+Enter keeps it.">
          {(id) => (
            <textarea class="form-control cell-value" id={id} name="value" rows={8} defaultValue={text} onKeyDown={keepByKeys} />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

function keepByKeys(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
