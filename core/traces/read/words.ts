import type { JsonValue } from '../../kernel/json.ts';
import { contentText, isContentBlocks } from '../content-blocks.ts';
import type { LogRecord } from '../record.ts';

/** Longer ones are cut: nobody types them, and an index row has its limits. */
const MAX_WORD = 64;
/** Words of one record that are kept; a record that has more is found by others. */
const MAX_WORDS = 5_000;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** The same in texts of ASCII alone, which are most and take a fraction of the time. */
const ASCII_WORD = /[a-z0-9_]+/g;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The different words of a text: runs of letters, digits and underscores, folded to one form and lower case. */
export const wordsIn = (text: string): string[] => [...collect([text])];

/** The words a record can be found by: those of its name, input and output, wherever texts stand in these. */
export const toWords = ({ name, input, output }: Pick<LogRecord, 'name' | 'input' | 'output'>): string[] => [
  ...collect([name, ...textsIn(input), ...textsIn(output)]),
];

function collect(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of split(text)) {
      if (words.size >= MAX_WORDS) return words;
      words.add(word.length > MAX_WORD ? word.slice(0, MAX_WORD) : word);
    }
  }
  return words;
}

const split = (text: string): readonly string[] =>
  (BEYOND_ASCII.test(text) ? folded(text).match(WORD) : text.toLowerCase().match(ASCII_WORD)) ?? [];

/** Every text in a payload, keys left out; of content blocks what they are searched by. */
function textsIn(value: JsonValue): string[] {
  if (isContentBlocks(value)) return [contentText(value)];
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) open.push(...(Object.values(next) as JsonValue[]));
  }
  return texts;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().toWellFormed();
