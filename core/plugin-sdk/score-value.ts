import type { OutputType } from './output-type.ts';
import { readBoolean } from './score-boolean.ts';
import { readBooleanLabels, readChunkList, readLabels } from './score-list.ts';
import { readCount, readDiscrete, readPercentage } from './score-number.ts';
import type { ScoreRole } from './score-role.ts';
import { cleanScoreText, readLabel, unquoted } from './score-text.ts';

/** Value of each output type once it is read. Labels of a set differ by their `labelKey`. */
export interface ReadValues {
  readonly boolean: boolean;
  /** As it was written; to be compared by `labelKey`. */
  readonly categorical: string;
  /** Not negative; a whole number where it is the truth. */
  readonly count: number;
  readonly discrete: number;
  /** A share of 1. */
  readonly percentage: number;
  readonly multilabel: readonly string[];
  /** Whether each label named holds. */
  readonly boolean_multilabel: Readonly<Record<string, boolean>>;
  readonly retrieved_chunk_list_boolean: readonly boolean[];
  readonly freeform: never;
}

/** `absent`: nothing was given. `unreadable`: something was, and it is no value of the type. */
export type ReadScoreValue<T extends OutputType> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'value'; readonly value: ReadValues[T] };

type Reader<T extends OutputType> = (given: unknown, role: ScoreRole) => ReadValues[T] | undefined;

const READERS: { readonly [T in OutputType]: Reader<T> } = {
  boolean: readBoolean,
  categorical: (given) => readLabel(given) || undefined,
  count: readCount,
  discrete: readDiscrete,
  percentage: readPercentage,
  multilabel: readLabels,
  boolean_multilabel: readBooleanLabels,
  retrieved_chunk_list_boolean: readChunkList,
  freeform: () => undefined,
};

const SCALARS: ReadonlySet<OutputType> = new Set(['boolean', 'categorical', 'count', 'discrete', 'percentage']);
/** Where these words mean that there is no truth. For texts, `none` may be a class. */
const WORDLESS: ReadonlySet<OutputType> = new Set(['boolean', 'count', 'discrete', 'percentage']);
const WORDS_FOR_NOTHING: ReadonlySet<string> = new Set(['null', 'none', 'n/a', 'nan']);

/**
 * Reads a value of an output type, as a scorer returned it or as a person wrote it down: JSON values and texts alike. A value
 * that already has the right JSON type is taken as it is. A truth that is empty, or says that there is none, is absent; a score
 * is absent only when it is null. Values of `freeform` are never read.
 */
export function readScoreValue<T extends OutputType>(output_type: T, given: unknown, role: ScoreRole): ReadScoreValue<T> {
  const text = typeof given === 'string' ? cleanScoreText(given) : undefined;
  const plain = text === undefined ? given : SCALARS.has(output_type) ? unquoted(text) : text;
  if (plain === undefined || plain === null || (role === 'truth' && saysNothing(output_type, plain))) return { kind: 'absent' };
  const value = READERS[output_type](plain, role);
  return value === undefined ? { kind: 'unreadable' } : { kind: 'value', value };
}

const saysNothing = (output_type: OutputType, given: unknown): boolean =>
  given === '' || (typeof given === 'string' && WORDLESS.has(output_type) && WORDS_FOR_NOTHING.has(given.toLowerCase()));
