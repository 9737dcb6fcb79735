import type { JsonValue } from '../kernel/json.ts';
import type { LogRecord } from './record.ts';

/** Longer ones are cut: nobody types them, and an index row has its limits. */
const MAX_WORD = 64;
/** Words of one record that are kept; a record that has more is found by others. */
const MAX_WORDS = 5_000;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** The different words of a text: runs of letters, digits and underscores, folded to one form and lower case. */
export const wordsIn = (text: string): string[] => [...collect([text])];

/** The words a record can be found by: those of its name, input and output, wherever texts stand in these. */
export const wordsOf = ({ name, input, output }: Pick<LogRecord, 'name' | 'input' | 'output'>): string[] => [
  ...collect([name, ...textsIn(input), ...textsIn(output)]),
];

function collect(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of folded(text).matchAll(WORD)) {
      if (words.size >= MAX_WORDS) return words;
      words.add(word.slice(0, MAX_WORD));
    }
  }
  return words;
}

/** Every text in a JSON value, keys left out. */
function textsIn(value: JsonValue): string[] {
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) open.push(...(Object.values(next) as JsonValue[]));
  }
  return texts;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().toWellFormed();
