import type { LogRecord } from '../record.ts';
import { textsIn } from './words.ts';

const BEFORE = 60;
const LENGTH = 200;
/** Further into a field nothing is looked for. */
const MAX_LOOKED_AT = 1_000_000;

/**
 * The surroundings of the first of the terms that a record says itself, at most 200 characters on one line, and the field that it stands in.
 * Undefined where it says none of them: a trace may be found by what its spans say.
 */
export function toSnippet(
  record: Pick<LogRecord, 'name' | 'input' | 'output'>,
  terms: readonly string[],
): { readonly field: 'name' | 'input' | 'output'; readonly text: string } | undefined {
  for (const field of ['input', 'output', 'name'] as const) {
    let left = MAX_LOOKED_AT;
    for (const text of textsIn(record[field])) {
      const folded = text.slice(0, left).toLowerCase();
      const at = terms.map((term) => folded.indexOf(term.toLowerCase())).find((place) => place >= 0);
      if (at !== undefined) return { field, text: around(text, Math.min(at, text.length)) };
      left -= folded.length;
      if (left <= 0) break;
    }
  }
  return undefined;
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE);
  const part = text
    .slice(from, from + LENGTH)
    .toWellFormed()
    .replaceAll('\ufffd', '');
  const line = part.replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${from + LENGTH < text.length ? '…' : ''}`;
}
