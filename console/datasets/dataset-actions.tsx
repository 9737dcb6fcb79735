import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { patch, post, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { ColumnMappingDialog } from './column-mapping.tsx';
import { DownloadDialog } from './download.tsx';
import { dropDraft } from './drafts.ts';
import { may } from './permissions.ts';
import { TruthColumnsDialog } from './truth-columns.tsx';

const DIALOGS = {
  download: 'Download',
  extend: 'Generate rows',
  map: 'Map columns',
  truth: 'Ground truth',
  rename: 'Rename',
} as const;
type Name = keyof typeof DIALOGS;
const NEEDS = { download: 'export', extend: 'export', map: 'update', truth: 'update', rename: 'rename' } as const;

export function DatasetActions({ dataset, onChanged }: { dataset: Dataset; onChanged: () => void }) {
  const [open, setOpen] = useState<Name>();
  const close = (): void => setOpen(undefined);
  const names = (Object.keys(DIALOGS) as Name[]).filter((name) => may(dataset, NEEDS[name]));
  return (
    <>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="btn btn-sm btn-outline-secondary"
          aria-haspopup="dialog"
          onClick={() => setOpen(name)}
        >
          {DIALOGS[name]}
        </button>
      ))}
      {may(dataset, 'delete') && <DeleteButton dataset={dataset} />}
      {open === 'download' && <DownloadDialog dataset={dataset} onClose={close} />}
      {open === 'extend' && <ExtendDialog dataset={dataset} onClose={close} />}
      {open === 'map' && <ColumnMappingDialog dataset={dataset} onChanged={onChanged} onClose={close} />}
      {open === 'truth' && <TruthColumnsDialog dataset={dataset} onClose={close} />}
      {open === 'rename' && (
        <FormDialog
          title="Rename"
          verb="Rename"
          onClose={close}
          onSubmit={async (values) => {
            await patch(`/datasets/${dataset.id}`, { name: values.get('name') });
            onChanged();
          }}
        >
          <TextField label="Name" name="name" value={dataset.name} required />
        </FormDialog>
      )}
    </>
  );
}

const DeleteButton = ({ dataset: { id, name } }: { dataset: Dataset }) => (
  <ConfirmButton
    label="Delete"
    question={`Delete ${name} with all its versions? This cannot be undone.`}
    onConfirm={async () => {
      await remove(`/datasets/${id}`);
      dropDraft(id);
      navigate('/datasets');
    }}
  />
);

/** A model makes up rows after the pattern of these, in a dataset of their own. */
const ExtendDialog = ({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) => (
  <FormDialog
    title="Generate rows"
    verb="Start"
    onClose={onClose}
    onSubmit={async (values) => {
      const given = (name: string): string | undefined => String(values.get(name) ?? '').trim() || undefined;
      const { dataset_id } = await post<{ dataset_id: string }>('/datasets/extend', {
        count: Number(values.get('count')),
        prompt: given('prompt'),
        instructions: given('instructions'),
        source_dataset: { dataset_id: dataset.id, dataset_version_index: dataset.current_version_index },
        prompt_settings: { model_alias: given('model') },
      });
      navigate(`/datasets/${dataset_id}?extending=yes`);
    }}
  >
    <p>The first rows are the pattern. What the model makes up goes into a new dataset; this one stays as it is.</p>
    <TextField label="Rows to make" name="count" type="number" value="10" required />
    <TextField label="Model" name="model" help="As one of your integrations calls it; default if empty." />
    <TextAreaField label="What the application is for" name="prompt" />
    <TextAreaField label="Instructions" name="instructions" />
  </FormDialog>
);

const TextAreaField = ({ label, name }: { label: string; name: string }) => (
  <Field label={label}>{(id) => <textarea class="form-control" id={id} name={name} rows={3} />}</Field>
);
