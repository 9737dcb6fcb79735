import { useState } from 'preact/hooks';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { put, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { CalibrateButton } from './calibrate.tsx';

interface ExperimentActionsProps {
  readonly experiment: Experiment;
  /** The experiments of its project, as `/projects/…/experiments`. */
  readonly list: string;
  readonly onChanged: () => void;
}

/** Actions on an experiment as a whole. */
export function ExperimentActions({ experiment: { id, project_id, name, task_type }, list, onChanged }: ExperimentActionsProps) {
  const [renaming, setRenaming] = useState(false);
  const path = `${list}/${id}`;
  return (
    <>
      <CalibrateButton project_id={project_id} run_id={id} />
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setRenaming(true)}>
        Rename
      </button>
      <ConfirmButton
        label="Delete"
        question={`Delete ${name} with its records and scores? This cannot be undone.`}
        onConfirm={async () => {
          await remove(path);
          navigate(list);
        }}
      />
      {renaming && (
        <FormDialog
          title="Rename"
          verb="Rename"
          onClose={() => setRenaming(false)}
          onSubmit={async (values) => {
            await put(path, { name: values.get('name'), task_type });
            onChanged();
          }}
        >
          <TextField label="Name" name="name" value={name} required />
        </FormDialog>
      )}
    </>
  );
}
