import { stripVTControlCharacters } from 'node:util';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** East Asian wide and fullwidth blocks, as terminals draw them: in two cells. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;

function cells(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

/** How many terminal cells a text takes, colours left out. */
export function width(text: string): number {
  let sum = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) sum += cells(segment);
  return sum;
}

/** The beginning of a text, on one line, in at most so many cells; never half of a character. */
export function excerpt(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (width(line) <= max) return line;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(line)) {
    used += cells(segment);
    if (used > max - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export interface Column {
  readonly title: string;
  readonly align?: 'right';
}

/** Rows under their titles, each column as wide as its widest cell. The last column is not padded. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => width(line[i] ?? ''))));
  return lines
    .map((line) =>
      columns
        .map(({ align }, i) => pad(line[i] ?? '', widths[i]!, align))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(text: string, to: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, to - width(text)));
  return align === 'right' ? space + text : text + space;
}
