import type { TextRange } from '../text-range.ts';

/** A run of digits with separators between them, and nothing of a word around it. */
export interface DigitRun extends TextRange {
  readonly digits: string;
}

/** Longer ones are numbers of nothing that is looked for here. */
const MAX_DIGITS = 40;
/** Of a bounded length: the engine keeps a place to come back to for each repetition. */
const RUN = /\d(?:[ .\-/()]{0,2}\d){6,45}/g;
const WORD = /[\p{L}\p{N}_]/u;

/** Runs of at least seven digits, each separated from the next by two characters at most. */
export function findDigitRuns(text: string): DigitRun[] {
  const runs: DigitRun[] = [];
  for (const { index: start, 0: run } of text.matchAll(RUN)) {
    const end = start + run.length;
    if (isWordAt(text, start - 1) || isWordAt(text, end)) continue;
    const digits = run.replace(/\D/g, '');
    if (digits.length <= MAX_DIGITS) runs.push({ start, end, digits });
  }
  return runs;
}

export const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && WORD.test(text[at]!);
