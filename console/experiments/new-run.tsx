import type { Dataset } from '../../core/datasets/dataset.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Template } from '../../core/prompts/template.ts';
import { get, post } from '../api/client.ts';
import { Choice, named } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

const MOST = 1000;

async function sources(signal: AbortSignal) {
  const wanted = { query: { limit: MOST }, signal };
  const [datasets, templates] = await Promise.all([
    post<{ datasets: readonly Dataset[] }>('/datasets/query', { sort: { name: 'name', ascending: true } }, wanted),
    post<{ templates: readonly Template[] }>('/templates/query', { sort: { name: 'name', ascending: true } }, wanted),
  ]);
  return { datasets: datasets.datasets, templates: templates.templates };
}

/** A prompt is run over the rows of a dataset; the experiment fills while one looks at it. */
export function NewRunDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const loaded = useLoaded('sources of runs', sources);
  return (
    <FormDialog title="New experiment" verb="Run" onClose={onClose} onSubmit={(values) => start(path, values)}>
      <TextField label="Name" name="name" required />
      <Show loaded={loaded}>
        {({ datasets, templates }) => (
          <>
            <Choice label="Dataset" name="dataset_id" required choices={datasets.map(named)} help="Its current version." />
            <Choice
              label="Prompt"
              name="prompt_template_version_id"
              required
              choices={templates.map(({ name, selected_version, selected_version_id }) => ({
                id: selected_version_id,
                label: `${name}, version ${selected_version.version}`,
              }))}
              help="The selected version of a prompt template; {{input}} in it is the column input of the row."
            />
          </>
        )}
      </Show>
      <TextField label="Model" name="model" help="As one of your integrations calls it; left empty, that of the prompt." />
    </FormDialog>
  );
}

async function start(path: string, values: FormData): Promise<void> {
  const dataset_id = values.get('dataset_id');
  const { current_version_index } = await get<Dataset>(`/datasets/${dataset_id}`);
  const model = String(values.get('model')).trim();
  const { id } = await post<Experiment>(path, {
    name: values.get('name'),
    dataset: { dataset_id, version_index: current_version_index },
    prompt_template_version_id: values.get('prompt_template_version_id'),
    prompt_settings: model === '' ? undefined : { model_alias: model },
    trigger: true,
  });
  navigate(`${path}/${id}`);
}
