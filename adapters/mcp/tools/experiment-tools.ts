import { z } from 'zod';
import { ComparisonRequest } from '../../../core/experiments/comparison/comparison.ts';
import type { ComparisonService } from '../../../core/experiments/comparison/comparison-service.ts';
import { type Experiment, NewExperiment } from '../../../core/experiments/experiment.ts';
import type { ExperimentCreationService } from '../../../core/experiments/experiment-creation-service.ts';
import type { ExperimentService } from '../../../core/experiments/experiment-service.ts';
import { Id, Name } from '../../../core/kernel/text.ts';
import { type Tool, tool } from '../tool.ts';
import { page, project_id } from './inputs.ts';

interface Deps {
  readonly experimentService: ExperimentService;
  readonly experimentCreationService: ExperimentCreationService;
  readonly comparisonService: ComparisonService;
}

const RunExperiment = z.object({
  project_id,
  name: Name.describe('A number is added where the name is taken.'),
  dataset_id: Id.describe('From list_datasets.'),
  dataset_version_index: z.int().min(0).max(2_147_483_647).describe('current_version_index of list_datasets.'),
  prompt_template_version_id: Id.describe('The version of the prompt that is run over each row.'),
  prompt_settings: z.looseObject({}).optional().describe('model_alias, temperature, max_tokens and the like.'),
  scorer_ids: z.array(Id).max(50).default([]).describe('From list_scorers.'),
});

export const experimentTools = ({ experimentService, experimentCreationService, comparisonService }: Deps): Tool[] => [
  tool({
    name: 'list_experiments',
    title: 'List experiments',
    description: 'Experiments of a project, newest first, with their average scores, rank, prompt, model and progress.',
    input: z.object({ project_id, ...page }),
    call: async (caller, { project_id, ...wanted }) => {
      const found = await experimentService.listExperimentPage(caller, project_id, wanted, true);
      return { experiments: found.experiments.map(summarize), next_starting_token: found.next_starting_token };
    },
  }),
  tool({
    name: 'run_experiment',
    title: 'Run an experiment',
    description:
      'Runs a version of a prompt over a version of a dataset and judges the outputs by scorers, in the background. Calls models, which costs money. list_experiments shows the progress.',
    input: RunExperiment,
    writes: true,
    call: async (caller, { project_id, dataset_id, dataset_version_index, scorer_ids, ...wanted }) => {
      const experiment = NewExperiment.parse({
        ...wanted,
        dataset: { dataset_id, version_index: dataset_version_index },
        scorers: scorer_ids.map((id) => ({ id })),
        trigger: true,
      });
      return summarize(await experimentCreationService.createExperiment(caller, project_id, experiment));
    },
  }),
  tool({
    name: 'compare_experiments',
    title: 'Compare two experiments',
    description:
      'Holds a candidate against a baseline row by row: per metric the difference with its interval and p-value, and the rows that changed most.',
    input: z.object({
      project_id,
      baseline_id: Id,
      candidate_id: Id,
      metric: z.string().min(1).max(1_024).optional().describe('By which the changed rows are listed.'),
      ...page,
    }),
    call: (caller, { project_id, ...request }) => comparisonService.compare(caller, project_id, ComparisonRequest.parse(request)),
  }),
];

const summarize = ({ id, name, created_at, dataset, prompt, prompt_model, num_traces, status, ...rest }: Experiment) => ({
  id,
  name,
  created_at,
  dataset,
  prompt: prompt && { name: prompt.name, version_index: prompt.version_index },
  model: prompt_model,
  num_traces,
  progress_percent: status.log_generation.progress_percent,
  averages: rest.aggregate_metrics,
  rank: rest.rank,
  winner: rest.winner,
});
