import type { Dataset } from '../../core/datasets/dataset.ts';
import { post } from '../api/client.ts';
import { Field, TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';

/** A model makes up rows after the pattern of these, in a dataset of their own. */
export const ExtendDialog = ({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) => (
  <FormDialog
    title="Extend by a model"
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
    <TextField label="Model" name="model" help="As one of your integrations calls it; left empty, the usual one." />
    <TextAreaField label="What the application is for" name="prompt" />
    <TextAreaField label="What the rows are to be like" name="instructions" />
  </FormDialog>
);

const TextAreaField = ({ label, name }: { label: string; name: string }) => (
  <Field label={label}>{(id) => <textarea class="form-control" id={id} name={name} rows={3} />}</Field>
);
