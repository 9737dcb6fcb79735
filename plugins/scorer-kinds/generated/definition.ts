import { InputType, OutputType, z } from '../../../core/plugin-sdk/index.ts';
import { getVariables, isVariable } from '../template.ts';
import { AGGREGATIONS_OF, Aggregations } from './aggregation.ts';
import { compileCheck, type Schema } from './own-schema.ts';

const Prompt = z.string().max(100_000);
/** Clients send null for what they leave open. */
const fieldName = (standard: string) =>
  z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .transform((name) => name ?? standard);
const Label = z.string().min(1).max(255);

const FewShotExample = z.object({
  generation_prompt_and_response: Prompt.describe('Material as a judge would see it.'),
  evaluating_response: Prompt.describe('The answer a good judge gives to it, as JSON.'),
});

const ChainPollTemplate = z.object({
  template: Prompt.min(1).describe('The question, with variables in double braces.'),
  metric_system_prompt: Prompt.nullish().describe('Role and task; a default stands in.'),
  metric_description: Prompt.nullish().describe('What is judged, with its rubric; follows the system prompt.'),
  value_field_name: fieldName('rating'),
  explanation_field_name: fieldName('explanation'),
  metric_few_shot_examples: z
    .array(FewShotExample)
    .max(20)
    .nullish()
    .transform((examples) => examples ?? []),
  response_schema: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('JSON Schema of the answer; has to name both fields among its properties.'),
});

const Range = z.object({ min: z.int(), max: z.int() }).refine(({ min, max }) => min < max, 'min has to be below max');

/** One model of a jury. */
const Juror = z.object({
  model_name: z.string().min(1).max(255),
  provider: z.string().min(1).max(255).nullish().describe('The provider whose integration offers it; any where absent.'),
  weight: z.number().min(0.001).max(1000).default(1).describe('How much its vote counts.'),
});
export type Juror = z.output<typeof Juror>;
/** Votes are told apart by their model. */
const isEachOnce = (jurors: readonly Juror[]): boolean =>
  new Set(jurors.map(({ model_name }) => model_name)).size === jurors.length;
const jurors = z
  .array(Juror)
  .min(2)
  .max(10)
  .refine(isEachOnce, 'a jury has each model once')
  .nullish()
  .describe('Models of which each is asked once, in place of `model_name` and `num_judges`.');

const fields = z.object({
  model_name: z.string().min(1).max(255).default('gpt-4.1-mini'),
  num_judges: z.int().min(1).max(10).default(3),
  jurors,
  cot_enabled: z.boolean().default(false).describe('Whether a judge reasons before its verdict.'),
  output_type: OutputType.default('boolean'),
  input_type: InputType.default('basic'),
  ground_truth: z.boolean().default(false).describe('Whether the prompt may use the right answer of the dataset row.'),
  chain_poll_template: ChainPollTemplate.nullish(),
  user_prompt: Prompt.nullish().describe('The question, when there is no template; may hold variables.'),
  instructions: Prompt.nullish().describe('The criterion in plain words, when there is neither template nor prompt.'),
  labels: z.array(Label).min(1).max(100).nullish().describe('Classes or labels a verdict may name, in order of preference.'),
  range: Range.nullish().describe('Of discrete ratings; 1 to 5 when not given.'),
  aggregation: Aggregations.nullish().describe('How several verdicts become one; by output type when not given.'),
  temperature: z.number().min(0).max(2).nullish().describe('Sent as it is; when not given, by number of judges and model.'),
  max_tokens: z.int().min(1).max(200_000).default(2048).describe('Of one answer.'),
  max_material_characters: z.int().min(1000).max(10_000_000).default(200_000).describe('Of all material of one record.'),
  include_files: z.boolean().default(true).describe('Whether files of a record are sent to models that read them.'),
  max_files: z.int().min(1).max(100).default(20).describe('Files of one call.'),
  max_file_bytes: z
    .int()
    .min(1)
    .max(20_000_000)
    .default(10_000_000)
    .describe('Bytes of all files of one call together; what does not fit is left out.'),
});
type Fields = z.output<typeof fields>;

/** Where the question is written: the most specific text there is. */
const placeOfQuestion = ({ chain_poll_template, user_prompt, instructions }: Fields) =>
  [
    { path: ['chain_poll_template', 'template'], text: chain_poll_template?.template },
    { path: ['user_prompt'], text: user_prompt },
    { path: ['instructions'], text: instructions },
  ].find(({ text }) => text?.trim());

/** The question as its author wrote it; empty when there is none. */
export const getJudgeQuestion = (definition: Fields): string => placeOfQuestion(definition)?.text ?? '';

/** Definition of one version of an LLM judge. */
export const Definition = fields.superRefine((definition, context) => {
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const question = placeOfQuestion(definition);
  if (!question) refuse(['user_prompt'], 'a judge needs a template, a prompt or instructions');
  for (const name of getVariables(question?.text ?? '')) {
    if (!isVariable(name)) refuse(question!.path, `there is no variable "${name}"`);
    if (name === 'ground_truth' && !definition.ground_truth)
      refuse(['ground_truth'], 'the prompt asks for the ground truth, which the scorer does not have');
  }
  const { aggregation, output_type } = definition;
  if (aggregation && !AGGREGATIONS_OF[output_type].includes(aggregation))
    refuse(['aggregation'], `verdicts of type ${output_type} have no ${aggregation}`);
  for (const problem of schemaProblems(definition)) refuse(['chain_poll_template', 'response_schema'], problem);
});
export type Definition = z.output<typeof Definition>;

function schemaProblems({ chain_poll_template: template }: Fields): string[] {
  if (!template?.response_schema) return [];
  const properties = Object(template.response_schema.properties) as object;
  const missing = [template.value_field_name, template.explanation_field_name].filter((name) => !Object.hasOwn(properties, name));
  if (missing.length > 0) return missing.map((name) => `the schema has no property "${name}"`);
  return canBeChecked(template.response_schema) ? [] : ['this is no JSON Schema'];
}

function canBeChecked(schema: Schema): boolean {
  try {
    compileCheck(schema);
    return true;
  } catch {
    return false;
  }
}
