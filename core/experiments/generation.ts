import type { NewJob } from '../jobs/job.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { ExperimentFacts, UsedDataset, UsedPrompt } from './experiment-facts.ts';

export const PLAYGROUND_RUN = 'playground_run';

/** Facts of an experiment whose records the service makes. */
export interface GenerationFacts extends ExperimentFacts {
  readonly dataset: UsedDataset;
  readonly prompt: UsedPrompt;
  readonly generated: number;
}

/** Throws AppError `invalid` that names what is missing: a dataset, a prompt. */
export function toGeneration(
  facts: ExperimentFacts,
  fields: { readonly dataset: string; readonly prompt: string },
): GenerationFacts {
  const { dataset, prompt } = facts;
  if (dataset && prompt) return { ...facts, dataset, prompt, generated: 0 };
  const missing = [...(dataset ? [] : [fields.dataset]), ...(prompt ? [] : [fields.prompt])];
  const issues = missing.map((field): Issue => {
    return { loc: ['body', field], msg: 'is needed to run a prompt over a dataset', type: 'generation_incomplete' };
  });
  throw new AppError('invalid', 'generation_incomplete', 'a prompt is run over a dataset: both are needed', { issues });
}

/** All rows of an experiment are made alike: once there are some, it goes on with the same dataset, prompt and settings only. */
export function refuseOtherSources(before: ExperimentFacts, wanted: GenerationFacts): void {
  if (before.generated === null || toSources(before) === toSources(wanted)) return;
  throw new AppError('conflict', 'experiment_has_records', 'the experiment was run with another dataset, prompt or settings');
}

const toSources = ({ dataset, prompt, prompt_run_settings }: ExperimentFacts): string =>
  canonicalJson([dataset?.dataset_id, dataset?.version_index, prompt?.prompt_template_version_id, prompt_run_settings]);

export function generationJob(facts: GenerationFacts, created_by: string, num_rows: number): NewJob {
  const { project_id, run_id, dataset, prompt, prompt_run_settings, task_type } = facts;
  const request_data = {
    dataset_id: dataset.dataset_id,
    dataset_version_index: dataset.version_index,
    prompt_template_version_id: prompt.prompt_template_version_id,
    prompt_settings: prompt_run_settings ?? {},
    task_type,
  };
  return { job_name: PLAYGROUND_RUN, project_id, run_id, created_by, request_data, steps_total: num_rows };
}
