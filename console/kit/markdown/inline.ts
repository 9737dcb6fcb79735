/** A stretch of a line of Markdown. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly inlines: readonly Inline[] };

/** Marks within marks beyond this depth are left as they are written. */
const MAX_DEPTH = 3;
/** A mark and its end stand no further apart, so that a text of marks without ends costs linear time. */
const MAX_SPAN = 1000;
const MARKED = /[`*_~[\\]/g;
const PAIRS = [
  { mark: '**', kind: 'strong' },
  { mark: '__', kind: 'strong' },
  { mark: '~~', kind: 'deleted' },
  { mark: '*', kind: 'emphasis' },
  { mark: '_', kind: 'emphasis' },
] as const;
const ESCAPED = /[\\`*_{}[\]()#+\-.!~|>]/;

/** Code, strong, emphasized and deleted words and links of a text; whatever else stands in it is text. */
export function parseInlines(text: string, depth = 0): readonly Inline[] {
  const inlines: Inline[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    MARKED.lastIndex = at;
    const next = MARKED.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    const found = parseMark(text, at, depth);
    if (found.inline) {
      if (plain !== '') inlines.push({ kind: 'text', text: plain });
      plain = '';
      inlines.push(found.inline);
    } else plain += found.text;
    at = found.end;
  }
  if (plain !== '') inlines.push({ kind: 'text', text: plain });
  return inlines;
}

/** Found at a mark: an inline, or the text that the mark is where nothing begins with it. */
interface Found {
  readonly end: number;
  readonly text: string;
  readonly inline?: Inline;
}

function parseMark(text: string, at: number, depth: number): Found {
  const mark = text[at]!;
  if (mark === '\\') {
    const escaped = text[at + 1];
    return escaped && ESCAPED.test(escaped) ? { end: at + 2, text: escaped } : { end: at + 1, text: mark };
  }
  const inline = mark === '`' ? parseCode(text, at) : depth >= MAX_DEPTH ? undefined : parseSpan(text, at, depth);
  return inline ?? { end: at + countRun(text, at), text: text.slice(at, at + countRun(text, at)) };
}

const parseSpan = (text: string, at: number, depth: number): Found | undefined =>
  text[at] === '[' ? parseLink(text, at, depth) : parsePair(text, at, depth);

/** How often the character at a place stands there. A bracket stands for itself. */
function countRun(text: string, at: number): number {
  let end = at + 1;
  if (text[at] !== '[') while (text[end] === text[at]) end += 1;
  return end - at;
}

/** Where a mark ends what it began, if it does so near enough. */
function findEnd(text: string, mark: string, from: number): number {
  return text.slice(from, from + MAX_SPAN).indexOf(mark) + from;
}

function parseCode(text: string, at: number): Found | undefined {
  const mark = text.slice(at, at + countRun(text, at));
  const from = at + mark.length;
  const end = findEnd(text, mark, from);
  if (end < from) return undefined;
  return { end: end + mark.length, text: '', inline: { kind: 'code', text: text.slice(from, end) } };
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

function parsePair(text: string, at: number, depth: number): Found | undefined {
  const pair = PAIRS.find(({ mark }) => text.startsWith(mark, at));
  if (!pair) return undefined;
  const { mark, kind } = pair;
  const from = at + mark.length;
  // An underscore within a name such as `snake_case` is none, nor is a star between spaces.
  if (isSpace(text[from]) || (mark[0] === '_' && isWord(text[at - 1]))) return undefined;
  let end = findEnd(text, mark, from);
  // The end of `**strong *and* more**` is not that of the star within it.
  if (mark.length === 1) while (end >= from && text[end + 1] === mark) end = findLater(text, mark, end + 2, from);
  if (end <= from || isSpace(text[end - 1]) || (mark[0] === '_' && isWord(text[end + mark.length]))) return undefined;
  return { end: end + mark.length, text: '', inline: { kind, inlines: parseInlines(text.slice(from, end), depth + 1) } };
}

/** The next place of a mark within reach of where it began; before that where there is none. */
function findLater(text: string, mark: string, after: number, from: number): number {
  const end = text.slice(after, from + MAX_SPAN).indexOf(mark);
  return end < 0 ? from - 1 : after + end;
}

/** `[words](https://…)`. Addresses of other kinds, a script among them, are left as they are written. */
function parseLink(text: string, at: number, depth: number): Found | undefined {
  const from = at + 1;
  const middle = findEnd(text, '](', from);
  if (middle <= from) return undefined;
  const end = findEnd(text, ')', middle + 2);
  if (end < middle + 2) return undefined;
  const url = text.slice(middle + 2, end).trim();
  if (!/^(https?:\/\/|mailto:)\S+$/.test(url)) return undefined;
  const inlines = parseInlines(text.slice(from, middle), depth + 1);
  return { end: end + 1, text: '', inline: { kind: 'link', url, inlines } };
}
