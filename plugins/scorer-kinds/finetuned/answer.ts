import { labelKey, readScoreValue, type ScoreValue } from '../../../core/plugin-sdk/index.ts';
import type { Definition } from './definition.ts';

type Classes = Definition['class_name_to_vocab_ix'];

/** The value that a model wrote; undefined when it wrote something else than its output type and classes allow. */
export function readAnswer(
  { luna_output_type, class_name_to_vocab_ix: classes }: Definition,
  text: string,
): ScoreValue | undefined {
  const answer = text.trim();
  if (answer === '') return undefined;
  if (luna_output_type === 'float') return readFloat(classes, answer);
  if (luna_output_type === 'string') return classes ? findClass(classes, answer) : answer;
  const read = readScoreValue('multilabel', answer, 'truth');
  if (read.kind !== 'value') return undefined;
  const names = read.value.flatMap((name) => (classes ? (findClass(classes, name) ?? []) : name));
  return names.length === read.value.length ? names : undefined;
}

/** A number; or yes and no, also as the name or token of a class, as 1 and 0. */
function readFloat(classes: Classes, answer: string): number | undefined {
  const name = classes ? findClass(classes, answer) : undefined;
  const number = name === undefined ? readScoreValue('discrete', answer, 'truth') : undefined;
  if (number?.kind === 'value') return number.value;
  const word = readScoreValue('boolean', name ?? answer, 'truth');
  return word.kind === 'value' ? Number(word.value) : undefined;
}

/** The class that a text names, by its name or by the number of one of its tokens. */
function findClass(classes: NonNullable<Classes>, text: string): string | undefined {
  const named = Object.keys(classes).find((name) => labelKey(name) === labelKey(text));
  return named ?? Object.keys(classes).find((name) => [classes[name]].flat().some((index) => String(index) === text));
}
