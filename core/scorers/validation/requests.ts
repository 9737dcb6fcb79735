import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { limitInText } from '../../kernel/query/page.ts';
import { Id, Name } from '../../kernel/text.ts';
import { OutputType, PluginError, type ScorerKindPlugin } from '../../plugin-sdk/index.ts';
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

const rows = {
  ...slice,
  dataset_id: Id,
  dataset_version_index: plainPart(z.coerce.number().int().min(1).max(2_147_483_647).optional()),
  /** Where the run goes, in place of the caller's own project for trials. */
  project_id: plainPart(Id.optional()),
};
/** Rows of a dataset, as forms and JSON bodies name them. */
export const RowsOfDataset = z.object(rows);
export type RowsOfDataset = z.output<typeof RowsOfDataset>;

export const RowTrialForm = z.object({ ...candidate, ...rows, score_type: text });
export type RowTrialForm = z.output<typeof RowTrialForm>;

/** A definition that is tried before a version is made of it; `test_input` and `test_output` are a record of their own. */
export const KindTrial = z.object({
  definition: z.looseObject({}),
  scoreable_node_types: NodeTypes.nullish(),
  required_scorers: z.array(Name).max(50).nullish(),
  output_type: OutputType.nullish(),
  test_input: z.string().max(1_000_000).nullish(),
  test_output: z.string().max(1_000_000).nullish(),
});

/** The same as a kind reads it from a body of its own. What a plugin gives is checked like any other input. */
const Tried = z.object({
  definition: z.looseObject({}),
  scoreable_node_types: NodeTypes.nullish(),
  required_scorers: z.array(Name).max(50).nullish(),
  output_type: OutputType.nullish(),
  input: z.string().nullish(),
  output: z.string().nullish(),
});
export type Tried = z.output<typeof Tried>;

/**
 * Reads the candidate of a trial from a request's body. Rejects with AppError `invalid` where the kind finds nothing to
 * try in it. Rejects with AppError `invalid` what the kind makes of it that nothing can be tried by.
 */
export function triedIn({ id, trial }: ScorerKindPlugin, body: Readonly<Record<string, unknown>>): Tried {
  if (trial?.read) {
    const { data, error } = Tried.safeParse(readBy(id, () => trial.read?.(body)));
    if (data) return data;
    const issues = error.issues.map(({ path, message: msg }) => ({
      loc: ['body', ...path.map(String)],
      msg,
      type: 'request_invalid',
    }));
    throw new AppError('invalid', 'request_invalid', 'the request is not valid', { issues });
  }
  const { test_input, test_output, ...tried } = KindTrial.parse(body);
  return { ...tried, input: test_input, output: test_output };
}

/** Rejects with AppError `invalid` where the plugin fails on a body: no body may be more than refused. */
function readBy<T>(plugin: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const msg = cause instanceof PluginError ? cause.message : `the plugin "${plugin}" failed on this body`;
    throw new AppError('invalid', 'request_invalid', msg, { cause, issues: [{ loc: ['body'], msg, type: 'request_invalid' }] });
  }
}

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
