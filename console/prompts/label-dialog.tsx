import { useId } from 'preact/hooks';
import { put } from '../api/client.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { USUAL_LABELS } from './prompts.ts';

interface LabelDialogProps {
  readonly path: string;
  readonly version: number;
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

/** Puts a label on a version; it leaves the version that had it. */
export function LabelDialog({ path, version, onMoved, onClose }: LabelDialogProps) {
  const [field, list] = [useId(), useId()];
  const move = async (values: FormData): Promise<void> => {
    await put(`${path}/labels/${encodeURIComponent(String(values.get('label')))}`, { version });
    onMoved();
  };
  return (
    <FormDialog title={`Label version ${version}`} verb="Add label" onClose={onClose} onSubmit={move}>
      <label class="form-label" for={field}>
        Label
      </label>
      <input class="form-control" id={field} name="label" list={list} required autocomplete="off" />
      <datalist id={list}>
        {USUAL_LABELS.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <p class="form-text mb-0">Applications that fetch by the label get this version from now on.</p>
    </FormDialog>
  );
}
