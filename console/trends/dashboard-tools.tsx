import { useState } from 'preact/hooks';
import type { DashboardFile } from '../../core/trends/dashboard.ts';
import { get, post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { trendsPath } from './address.ts';
import type { Dashboard } from './dashboard.ts';

/** Actions on a whole dashboard. */
export function DashboardTools({ dashboard }: { dashboard: Dashboard }) {
  const [open, setOpen] = useState<'section' | 'import'>();
  const path = trendsPath(dashboard.stream);
  const close = (): void => setOpen(undefined);
  const download = useAction(async () => keepAsFile(await get<DashboardFile>(`${path}/export`)));
  return (
    <div class="d-flex flex-wrap gap-2 mb-3">
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('section')}>
        Add section
      </button>
      <button type="button" class="btn btn-sm btn-outline-secondary" disabled={download.busy} onClick={() => download.run()}>
        Export
      </button>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('import')}>
        Import
      </button>
      <Failure error={download.error} />
      {open === 'section' && (
        <FormDialog
          title="Add section"
          verb="Add"
          onClose={close}
          onSubmit={async (values) => {
            await post(`${path}/sections`, { name: values.get('name') });
            dashboard.reload();
          }}
        >
          <TextField label="Name" name="name" required />
        </FormDialog>
      )}
      {open === 'import' && (
        <FormDialog
          title="Import dashboard"
          verb="Import"
          onClose={close}
          onSubmit={async (values) => {
            await post(`${path}/import`, await jsonIn(values.get('file')), { query: { replace: values.has('replace') } });
            dashboard.reload();
          }}
        >
          <Field label="File" help="As the export of a dashboard wrote it.">
            {(id) => <input id={id} class="form-control" type="file" name="file" accept=".json,application/json" required />}
          </Field>
          <Check name="replace" label="In place of all sections that are there" />
        </FormDialog>
      )}
    </div>
  );
}

function keepAsFile(file: DashboardFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }));
  link.download = 'dashboard.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

async function jsonIn(file: FormDataEntryValue | null): Promise<unknown> {
  if (!(file instanceof File)) throw new Error('choose a file');
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no JSON`);
  }
}
