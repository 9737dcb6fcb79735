import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { limitInText } from '../../kernel/query/page.ts';
import { Id, Name } from '../../kernel/text.ts';
import { OutputType } from '../../plugin-sdk/index.ts';
import { RecordFilter, RecordSort } from '../../traces/record-query.ts';
import { DEFAULT_NODE_TYPES, NodeTypes } from '../scorer.ts';

/** A text part of a form: an empty one stands for none. */
const part = <S extends z.ZodType>(schema: S) => z.preprocess((text) => (text === '' ? undefined : text), schema);

/** A part that is no free text: there, `null` stands for none, too. */
const plainPart = <S extends z.ZodType>(schema: S) => part(z.preprocess((text) => (text === 'null' ? undefined : text), schema));

/** JSON text. What is no JSON is left to the schema to refuse. */
const jsonPart = <S extends z.ZodType>(schema: S) => part(z.preprocess(parsed, schema));

/** A list as JSON text, as one bare value, or as a field that is repeated. */
const listPart = <S extends z.ZodType>(schema: S) =>
  part(
    z.preprocess((given) => {
      const value = parsed(given);
      return value === undefined || value === null || Array.isArray(value) ? value : [value];
    }, schema),
  );

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const candidate = {
  required_scorers: listPart(z.array(Name).max(50).nullish()),
  scoreable_node_types: listPart(NodeTypes.nullish()),
};
const slice = {
  limit: plainPart(limitInText()),
  starting_token: plainPart(z.coerce.number().int().min(0).max(2_147_483_647).default(0)),
};
const text = part(z.string().max(1_000_000).optional());

export const SampleForm = z.object({ ...candidate, test_input: text, test_output: text });
export type SampleForm = z.output<typeof SampleForm>;

export const RecordTrialForm = z.object({
  ...candidate,
  ...slice,
  log_stream_id: plainPart(Id.optional()),
  experiment_id: plainPart(Id.optional()),
  filters: jsonPart(z.array(RecordFilter).max(1000).nullish()),
  sort: jsonPart(RecordSort.nullish()),
});
export type RecordTrialForm = z.output<typeof RecordTrialForm>;

export const RowTrialForm = z.object({
  ...candidate,
  ...slice,
  dataset_id: Id,
  dataset_version_index: plainPart(z.coerce.number().int().min(1).max(2_147_483_647).optional()),
  score_type: text,
  /** Where the run goes, in place of the caller's own project for trials. */
  project_id: plainPart(Id.optional()),
});
export type RowTrialForm = z.output<typeof RowTrialForm>;

/** A judge to be tried; `query` and `response` are a record of their own. */
export const JudgeTrial = z
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
        output_type: OutputType.nullish(),
        scoreable_node_types: NodeTypes.nullish(),
        cot_enabled: z.boolean().nullish(),
        ground_truth: z.boolean().nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'JudgeTrial' });
export type JudgeTrial = z.output<typeof JudgeTrial>;

/** Rejects with AppError `invalid` when there are none. */
export function triedTypes(given: readonly string[] | null | undefined): readonly string[] {
  const types = given ?? DEFAULT_NODE_TYPES;
  if (types.length > 0) return types;
  throw mismatch('no types of records are named');
}

const mismatch = (msg: string): AppError =>
  new AppError('invalid', 'node_types_invalid', msg, {
    issues: [{ loc: ['body', 'scoreable_node_types'], msg, type: 'node_types_invalid' }],
  });
