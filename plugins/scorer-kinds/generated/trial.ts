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
    const { model_alias, num_judges, jurors, output_type, cot_enabled, ground_truth, scoreable_node_types } =
      scorer_configuration ?? {};
    const settings = { model_name: model_alias, num_judges, jurors, output_type, cot_enabled, ground_truth };
    return {
      definition: present({ ...judge, ...settings }),
      scoreable_node_types,
      output_type,
      input: query,
      output: response,
    };
  },
};
