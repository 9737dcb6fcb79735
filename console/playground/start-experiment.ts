import type { Dataset } from '../../core/datasets/dataset.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Template } from '../../core/prompts/template.ts';
import { get, post } from '../api/client.ts';
import { navigate } from '../kit/location.ts';
import { toRequest, type Variant } from './variant.ts';

interface Wanted {
  readonly project_id: string;
  readonly dataset_id: string;
  readonly variant: Variant;
  readonly version_id: string | undefined;
}

/** Runs a variant over a dataset and goes to the experiment. A variant that is no version of a prompt becomes one that lists pass by. */
export async function startExperiment({ project_id, dataset_id, variant, version_id }: Wanted): Promise<void> {
  const { name, current_version_index } = await get<Dataset>(`/datasets/${dataset_id}`);
  const label = `Playground over ${name}`;
  const made = version_id ?? (await keep(label, variant));
  const path = `/projects/${project_id}/experiments`;
  const { id } = await post<Experiment>(path, {
    name: label,
    dataset: { dataset_id, version_index: current_version_index },
    prompt_template_version_id: made,
    trigger: true,
  });
  navigate(`${path}/${id}`);
}

async function keep(name: string, variant: Variant): Promise<string> {
  const template = await post<Template>('/templates', { ...toRequest(variant), name, hidden: true });
  return template.selected_version_id;
}
