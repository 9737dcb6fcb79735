import { type Completion, readJson, type Vote, z } from '../../../core/plugin-sdk/index.ts';
import type { AnswerForm } from './answer-schema.ts';
import { type FoundObject, fencedIn, objectsIn } from './json-objects.ts';
import { readValue } from './value-reader.ts';
import { valueWords } from './value-schema.ts';
import type { VerdictForm } from './verdict-form.ts';

/** A vote, or what is wrong with the answer, in words for the judge and for people. */
export type ReadAnswer = { readonly vote: Vote } | { readonly problem: string };

/**
 * Climbs down from the native structured answer and the text as a whole to the objects in the text. A judge may quote what it judges,
 * and material may be written to be quoted: of several answers in one text the last one counts, when nothing follows it; where more
 * follows, they have to agree.
 */
export function readAnswer(answer: AnswerForm, form: VerdictForm, { value, text }: Completion): ReadAnswer {
  const whole = readJson(z.unknown(), text);
  for (const candidate of [value, whole]) {
    const read = isObject(candidate) ? readObject(answer, form, candidate) : readBare(answer, form, candidate);
    if ('vote' in read) return read;
    // All of the text is one object: there is no answer beside it, and what is inside it is not one.
    if (candidate === whole && isObject(whole)) return read;
  }
  const found = objectsIn(text);
  return found.length > 0 ? readLast(answer, form, found) : readBareIn(answer, form, text);
}

function readLast(answer: AnswerForm, form: VerdictForm, found: readonly FoundObject[]): ReadAnswer {
  // An object with neither field is a part of the talk, unless it is all there is.
  const meant = found.filter(({ value }) => isMeant(answer, value));
  const read = (meant.length > 0 ? meant : found.slice(-1)).map(({ value }) => readObject(answer, form, value));
  const last = read.at(-1)!;
  if (!('vote' in last) || (meant.at(-1) ?? found.at(-1))!.isLast) return last;
  const values = new Set(read.flatMap((one) => ('vote' in one ? JSON.stringify(one.vote.value) : [])));
  return values.size > 1 ? { problem: 'the answer holds several JSON objects that disagree' } : last;
}

const isMeant = ({ value_field, explanation_field }: AnswerForm, given: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(given).some((name) =>
    [value_field, explanation_field].some((field) => field?.toLowerCase() === name.toLowerCase()),
  );

function readBareIn(answer: AnswerForm, form: VerdictForm, text: string): ReadAnswer {
  const fenced = readBare(answer, form, fencedIn(text));
  return 'vote' in fenced ? fenced : readBare(answer, form, text);
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
  return { vote: { value, ...(explanation !== undefined && { explanation: toText(explanation) }) } };
}

/** A value without an object around it will do when nothing else was asked for. */
function readBare(answer: AnswerForm, form: VerdictForm, candidate: unknown): ReadAnswer {
  const value = answer.explanation_field === undefined ? readValue(form, candidate) : undefined;
  return value === undefined ? { problem: 'the answer holds no JSON object' } : { vote: { value } };
}

/** The fields by the names they should have; a model may spell them in another case. */
function namedAs({ value_field, explanation_field }: AnswerForm, given: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const wanted = [value_field, explanation_field].filter((name) => name !== undefined);
  const getName = (name: string): string =>
    Object.hasOwn(given, name) && wanted.includes(name)
      ? name
      : (wanted.find((one) => !Object.hasOwn(given, one) && one.toLowerCase() === name.toLowerCase()) ?? name);
  return new Map(Object.entries(given).map(([name, value]) => [getName(name), value]));
}

const toText = (explanation: unknown): string => (typeof explanation === 'string' ? explanation : JSON.stringify(explanation));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
