import type { JsonValue } from '../../kernel/json.ts';
import { contentText, isContentBlocks } from '../content-blocks.ts';
import type { LogRecord } from '../record.ts';
import { WordSet } from './word-set.ts';

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** Letters of words in texts of ASCII alone, which are most and take a fraction of the time. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, unit) => (/\w/.test(String.fromCharCode(unit)) ? 1 : 0));
/** One for all: it is filled and emptied by each call. */
const set = new WordSet();

/** The different words of a text: runs of letters, digits and underscores, folded to one form and lower case. */
export const wordsIn = (text: string): string[] =>
  collect([text])
    .split(' ')
    .filter((word) => word !== '');

/**
 * The different words a record can be found by, with a space before and behind each: those of its name, input and output, wherever
 * texts stand in these.
 */
export const toWordText = ({ name, input, output }: Pick<LogRecord, 'name' | 'input' | 'output'>): string =>
  collect([name, ...textsIn(input), ...textsIn(output)]);

function collect(texts: readonly string[]): string {
  for (const text of texts) {
    if (set.isFull) break;
    if (BEYOND_ASCII.test(text)) for (const word of folded(text).match(WORD) ?? []) set.add(word, 0, word.length);
    else addAscii(text.toLowerCase());
  }
  return set.take();
}

function addAscii(text: string): void {
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    if (IS_WORD[text.charCodeAt(at)] === 0) continue;
    const start = at;
    do at += 1;
    while (at < length && IS_WORD[text.charCodeAt(at)] === 1);
    set.add(text, start, at);
  }
}

/** Every text in a payload, keys left out; of content blocks what they are searched by. */
export function textsIn(value: JsonValue): string[] {
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
