import { OutputType, type ScorerTrial, type TriedDefinition, z } from '../../../core/plugin-sdk/index.ts';
import { present } from '../present.ts';

/** A judge to be tried; `query` and `response` are a record of their own. */
const JudgeTrial = z
  .looseObject({
    query: z.string().nullish(),
    response: z.string().nullish(),
    user_prompt: z.string().nullish(),
    instructions: z.string().nullish(),
    chain_poll_template: z.looseObject({ template: z.string() }).nullish(),
    scorer_configuration: z
      .looseObject({
        model_alias: z.string().nullish(),
        num_judges: z.int().nullish(),
        jurors: z.array(z.looseObject({})).max(10).nullish(),
        output_type: OutputType.nullish(),
        scoreable_node_types: z.array(z.string()).max(100).nullish(),
        cot_enabled: z.boolean().nullish(),
        ground_truth: z.boolean().nullish(),
        include_files: z.boolean().nullish(),
        max_files: z.int().nullish(),
        max_file_bytes: z.int().nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'JudgeTrial' });

/** How a judge is tried, as a request to try one spells it. */
export const trial: ScorerTrial<typeof JudgeTrial> = {
  on: ['samples', 'records'],
  body: JudgeTrial,
  task_field: 'task_result_id',
  read: ({ query, response, scorer_configuration, ...judge }): TriedDefinition => {
    const { model_alias, scoreable_node_types, output_type, ...settings } = scorer_configuration ?? {};
    const { num_judges, jurors, cot_enabled, ground_truth, include_files, max_files, max_file_bytes } = settings;
    const panel = { model_name: model_alias, num_judges, jurors, output_type, cot_enabled, ground_truth };
    return {
      definition: present({ ...judge, ...panel, include_files, max_files, max_file_bytes }),
      scoreable_node_types,
      output_type,
      input: query,
      output: response,
    };
  },
};
