import type { Completion, Vote } from '../../../core/plugin-sdk/index.ts';
import type { AnswerForm } from './answer-schema.ts';
import { jsonCandidates } from './json-candidates.ts';
import { readValue } from './value-reader.ts';
import { valueWords } from './value-schema.ts';
import type { VerdictForm } from './verdict-form.ts';

/** A vote, or what is wrong with the answer, in words for the judge and for people. */
export type ReadAnswer = { readonly vote: Vote } | { readonly problem: string };

/** Climbs down from the native structured answer to what can be found in the text. */
export function readAnswer(answer: AnswerForm, form: VerdictForm, { value, text }: Completion): ReadAnswer {
  let problem: string | undefined;
  for (const candidate of candidatesOf(value, text)) {
    const read = isObject(candidate) ? readObject(answer, form, candidate) : readBare(answer, form, candidate);
    if ('vote' in read) return read;
    if (isObject(candidate)) problem ??= read.problem;
  }
  return problem === undefined ? readBare(answer, form, text) : { problem };
}

function* candidatesOf(value: unknown, text: string): Generator<unknown> {
  if (value !== undefined && value !== null) yield value;
  yield* jsonCandidates(text);
}

function readObject(answer: AnswerForm, form: VerdictForm, candidate: Readonly<Record<string, unknown>>): ReadAnswer {
  const fields = namedAs(answer, candidate);
  const given = fields.get(answer.value_field);
  if (given === undefined) {
    const bare = readBare(answer, form, candidate);
    return 'vote' in bare ? bare : { problem: `the field "${answer.value_field}" is missing` };
  }
  const value = readValue(form, given);
  if (value === undefined) return { problem: `"${answer.value_field}" has to be ${valueWords(form)}` };
  const { check } = answer;
  const asIs = Object.fromEntries(fields);
  if (check && ![asIs, { ...asIs, [answer.value_field]: value }].some(check))
    return { problem: 'the answer does not match its schema' };
  const explanation = answer.explanation_field === undefined ? undefined : fields.get(answer.explanation_field);
  return { vote: { value, ...(explanation !== undefined && { explanation: textOf(explanation) }) } };
}

/** A value without an object around it will do when nothing else was asked for. */
function readBare(answer: AnswerForm, form: VerdictForm, candidate: unknown): ReadAnswer {
  const value = answer.explanation_field === undefined ? readValue(form, candidate) : undefined;
  return value === undefined ? { problem: 'the answer holds no JSON object' } : { vote: { value } };
}

/** The fields by the names they should have; a model may spell them in another case. */
function namedAs({ value_field, explanation_field }: AnswerForm, given: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const wanted = [value_field, explanation_field].filter((name) => name !== undefined);
  const nameOf = (name: string): string =>
    Object.hasOwn(given, name) && wanted.includes(name)
      ? name
      : (wanted.find((one) => !Object.hasOwn(given, one) && one.toLowerCase() === name.toLowerCase()) ?? name);
  return new Map(Object.entries(given).map(([name, value]) => [nameOf(name), value]));
}

const textOf = (explanation: unknown): string => (typeof explanation === 'string' ? explanation : JSON.stringify(explanation));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
