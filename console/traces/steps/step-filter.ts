import type { Step } from './step.ts';

/** Which steps of a trace are asked for; an empty text asks for all. */
export interface StepFilter {
  readonly text: string;
  readonly onlyFailed: boolean;
}

export const isFiltering = ({ text, onlyFailed }: StepFilter): boolean => text.trim() !== '' || onlyFailed;

/** Searchable text of each step, made when it is first needed: in a long trace most of the time of a search goes there. */
const searched = new WeakMap<Step, string>();

function toText(step: Step): string {
  let text = searched.get(step);
  if (text === undefined) {
    const { id, type, name, input, output, tags, model } = step.record;
    text = [id, type, name, plain(input), plain(output), tags.join(' '), plain(model)].join('\n').toLowerCase();
    searched.set(step, text);
  }
  return text;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** Holds every word of the text, in any case and order. */
export function matches(step: Step, { text, onlyFailed }: StepFilter): boolean {
  if (onlyFailed && !step.failed) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 || words.every((word) => toText(step).includes(word));
}
