import type { JsonObject } from '../kernel/json.ts';
import type { PromptContent } from '../prompts/prompt-text.ts';
import { EXPERIMENT_TASK } from './experiment.ts';

/** The dataset whose rows an experiment goes through, with the name it had then. */
export interface UsedDataset {
  readonly dataset_id: string;
  readonly version_index: number;
  readonly name: string;
}

/** The prompt an experiment asks a model with. It is kept here as it was: templates are renamed and deleted. */
export interface UsedPrompt {
  readonly prompt_template_id: string;
  readonly prompt_template_version_id: string;
  readonly version_index: number;
  readonly name: string;
  readonly content: PromptContent;
  readonly raw: boolean;
}

/** Facts of an experiment beyond those of its run. */
export interface ExperimentFacts {
  readonly project_id: string;
  readonly run_id: string;
  readonly task_type: number;
  readonly dataset: UsedDataset | null;
  readonly prompt: UsedPrompt | null;
  /** Settings of the model: by the version of the template, and over that by who started the run. */
  readonly prompt_run_settings: JsonObject | null;
  readonly playground_id: string | null;
  readonly playground_prompt_id: string | null;
  /** How much of its records the service has made, 0 to 1; null where somebody else makes them. */
  readonly generated: number | null;
}

export const plainFacts = (project_id: string, run_id: string): ExperimentFacts => ({
  project_id,
  run_id,
  task_type: EXPERIMENT_TASK,
  dataset: null,
  prompt: null,
  prompt_run_settings: null,
  playground_id: null,
  playground_prompt_id: null,
  generated: null,
});
