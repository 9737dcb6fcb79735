import { useState } from 'preact/hooks';
import type { Dataset } from '../../core/datasets/dataset.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { DownloadDialog } from './download.tsx';
import { dropDraft } from './drafts.ts';
import { ExtendDialog } from './extend.tsx';
import { may } from './permissions.ts';

const DIALOGS = { download: 'Download', extend: 'Extend', rename: 'Rename' } as const;
type Name = keyof typeof DIALOGS;
const NEEDS = { download: 'export', extend: 'export', rename: 'rename' } as const;

export function DatasetActions({ dataset, onChanged }: { dataset: Dataset; onChanged: () => void }) {
  const [open, setOpen] = useState<Name>();
  const close = (): void => setOpen(undefined);
  const names = (Object.keys(DIALOGS) as Name[]).filter((name) => may(dataset, NEEDS[name]));
  return (
    <>
      {names.map((name) => (
        <button key={name} type="button" class="btn btn-sm btn-outline-secondary" onClick={() => setOpen(name)}>
          {DIALOGS[name]}
        </button>
      ))}
      {may(dataset, 'delete') && <DeleteButton dataset={dataset} />}
      {open === 'download' && <DownloadDialog dataset={dataset} onClose={close} />}
      {open === 'extend' && <ExtendDialog dataset={dataset} onClose={close} />}
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
