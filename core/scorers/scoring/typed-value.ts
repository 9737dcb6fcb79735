import { type OutputType, OutputType as OutputTypes, type ScoreOutcome, type ScoreValue } from '../../plugin-sdk/index.ts';

type Typed = (given: unknown) => ScoreValue | undefined;

const SHOWN_CHARS = 100;

/** Description of the required type, for messages. */
const WANTED: Readonly<Record<OutputType, string>> = {
  boolean: 'true or false, or a share between 0 and 1',
  categorical: 'a string that is not empty',
  count: 'a number of 0 or more',
  discrete: 'a number',
  percentage: 'a number from 0 to 1',
  freeform: 'a string',
  multilabel: 'a list of strings',
  boolean_multilabel: 'an object of booleans, or a list of strings',
  retrieved_chunk_list_boolean: 'a list of booleans',
};

const TYPED: Readonly<Record<OutputType, Typed>> = {
  boolean: (given) => toBoolean(given) ?? (isWithin(given, 0, 1) ? given : undefined),
  categorical: (given) => toLabel(given),
  count: (given) => toNumber(given, 0),
  discrete: (given) => toNumber(given, Number.NEGATIVE_INFINITY),
  percentage: (given) => toNumber(given, 0, 1),
  freeform: (given) =>
    given === undefined || given === null ? undefined : typeof given === 'string' ? given : JSON.stringify(given),
  multilabel: (given) => toList(given, toLabel),
  boolean_multilabel: (given) => toList(given, toLabel) ?? toFlags(given),
  retrieved_chunk_list_boolean: (given) => toList(given, toBoolean),
};

/**
 * The outcome as the scorer's output type has it: a value is kept as it is, or turned into the type where nothing is lost (1 and 0
 * for yes and no and the other way round, a number or boolean for a label). What is no value of the type is a failure on this
 * record. The share of judges that said yes stays a number, also when it is all or none of them. A scorer without an output type
 * may give any value.
 */
export function typedOutcome(outcome: ScoreOutcome, output_type: string | null): ScoreOutcome {
  const type = OutputTypes.safeParse(output_type).data;
  if (outcome.status !== 'success' || type === undefined) return outcome;
  const isShare = type === 'boolean' && outcome.effort?.num_judges !== undefined && isWithin(outcome.value, 0, 1);
  const value = isShare ? outcome.value : TYPED[type](outcome.value);
  if (value !== undefined) return value === outcome.value ? outcome : { ...outcome, value };
  const shown = JSON.stringify(outcome.value).slice(0, SHOWN_CHARS);
  const { effort, printed } = outcome;
  const message = `${shown} is no value of output type ${type}: it has to be ${WANTED[type]}`;
  return { status: 'failed', message, ...(effort && { effort }), ...(printed && { printed }) };
}

const isWithin = (given: unknown, least: number, most: number): given is number =>
  typeof given === 'number' && Number.isFinite(given) && given >= least && given <= most;

function toNumber(given: unknown, least: number, most = Number.POSITIVE_INFINITY): number | undefined {
  const number = typeof given === 'boolean' ? Number(given) : given;
  return isWithin(number, least, most) ? number : undefined;
}

function toBoolean(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given;
  return given === 1 || given === 0 ? given === 1 : undefined;
}

/** Blank strings are no labels. */
function toLabel(given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  return typeof given === 'string' && given.trim() !== '' ? given : undefined;
}

function toList<T extends string | boolean>(given: unknown, toItem: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const items = given.map(toItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function toFlags(given: unknown): Readonly<Record<string, boolean>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const flags = Object.entries(given).map(([label, holds]) => [label, toBoolean(holds)] as const);
  const isTyped = flags.every((flag): flag is readonly [string, boolean] => flag[1] !== undefined);
  return isTyped ? Object.fromEntries(flags) : undefined;
}
