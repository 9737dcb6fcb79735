import { type ScorerView, type ShownVersion, z } from '../../../core/plugin-sdk/index.ts';
import { made, nodeTypes, toMade } from '../made.ts';
import type { Definition } from './definition.ts';

const FewShotExample = z.object({ generation_prompt_and_response: z.string(), evaluating_response: z.string() });

/** The question to a judge, as the API shows it. */
const ChainPollTemplate = z
  .object({
    template: z.string(),
    metric_system_prompt: z.string().nullable(),
    metric_description: z.string().nullable(),
    value_field_name: z.string(),
    explanation_field_name: z.string(),
    metric_few_shot_examples: z.array(FewShotExample),
    response_schema: z.looseObject({}).nullable(),
  })
  .meta({ id: 'ChainPollTemplate' });

const ScorerConfiguration = z
  .object({
    model_alias: z.string(),
    num_judges: z.int(),
    output_type: z.string(),
    scoreable_node_types: z.array(z.string()),
    cot_enabled: z.boolean(),
    ground_truth: z.boolean(),
    multimodal_capabilities: z.array(z.string()),
    labels: z.array(z.string()).nullable().describe('Classes or labels a verdict may name; null where the output type has none.'),
    range: z.object({ min: z.int(), max: z.int() }).nullable().describe('Of discrete ratings; null for 1 to 5.'),
    jurors: z
      .array(z.object({ model_name: z.string(), provider: z.string().nullable(), weight: z.number() }))
      .nullable()
      .describe('Of a jury: its models, in place of `model_alias` and `num_judges`; else null.'),
    temperature: z.number().nullable().describe('Null: chosen by the number of judges and the model.'),
    max_tokens: z.int().describe('Of one answer.'),
    include_files: z.boolean().describe('Whether files of a record are sent to models that read them.'),
    max_files: z.int().describe('Files of one call.'),
    max_file_bytes: z.int().describe('Bytes of all files of one call together.'),
  })
  .meta({ id: 'ScorerConfiguration' });

const short = z.object({
  id: z.string(),
  name: z.string(),
  chain_poll_template: ChainPollTemplate,
  instructions: z.string().nullable(),
  user_prompt: z.string().nullable(),
});
const full = short.extend({ ...made, scoreable_node_types: nodeTypes, scorer_configuration: ScorerConfiguration });

/** Records that a judge looks at where neither it nor its scorer names any. */
const DEFAULT_NODE_TYPES = ['llm', 'chat'];

/** A judge is shown with its question, as a template; of a preset the template alone. */
export const view: ScorerView<typeof Definition> = {
  fields: {
    short: z.object({ generated_scorer: short }),
    full: z.object({ generated_scorer: full, chain_poll_template: ChainPollTemplate }),
  },
  show(judge, version) {
    const chain_poll_template = toTemplate(judge);
    const { id, name, is_preset, scoreable_node_types } = version;
    const { instructions = null, user_prompt = null } = judge;
    const scorer_configuration = toConfiguration(judge, version);
    const shown = { id, name, chain_poll_template, instructions, user_prompt, scoreable_node_types, scorer_configuration };
    return { chain_poll_template, generated_scorer: is_preset ? null : { ...shown, ...toMade(version) } };
  },
};

/** A judge that was given a prompt alone has a template made of it. */
function toTemplate({ chain_poll_template: given, user_prompt, instructions }: Definition): z.output<typeof ChainPollTemplate> {
  return {
    template: given?.template ?? user_prompt ?? instructions ?? '',
    metric_system_prompt: given?.metric_system_prompt ?? null,
    metric_description: given?.metric_description ?? null,
    value_field_name: given?.value_field_name ?? 'rating',
    explanation_field_name: given?.explanation_field_name ?? 'explanation',
    metric_few_shot_examples: given?.metric_few_shot_examples ?? [],
    response_schema: given?.response_schema ?? null,
  };
}

function toConfiguration(judge: Definition, { scoreable_node_types, multimodal_capabilities }: ShownVersion) {
  const { model_name, num_judges, output_type, cot_enabled, ground_truth, max_tokens } = judge;
  const { include_files, max_files, max_file_bytes } = judge;
  const { labels = null, range = null, temperature = null } = judge;
  const jurors = judge.jurors?.map((juror) => ({ ...juror, provider: juror.provider ?? null })) ?? null;
  return {
    ...{ model_alias: model_name, num_judges, output_type, cot_enabled, ground_truth },
    scoreable_node_types: scoreable_node_types ?? DEFAULT_NODE_TYPES,
    multimodal_capabilities,
    ...{ labels, range, jurors, temperature, max_tokens },
    ...{ include_files, max_files, max_file_bytes },
  };
}
