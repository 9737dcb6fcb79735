/** A part of a text in Markdown. Texts of its parts may have marks of their own: `parseInlines`. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' };

export interface ListItem {
  /** As it was written, such as `3.`; a dash where the list has no numbers. */
  readonly mark: string;
  /** How deep it stands, 0 for the outermost. */
  readonly depth: number;
  readonly text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;
const QUOTE = /^ {0,3}>[ \t]?(.*)$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,200}$/;
const DIVIDER = /^[ \t:|-]+$/;
const MAX_COLUMNS = 50;
const MAX_LIST_DEPTH = 6;
const INDENT = 2;

/** The blocks of a text, in one pass over its lines. Whatever is not marked is a paragraph, line by line as it was written. */
export function parseBlocks(text: string): readonly Block[] {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const found = line.trim() === '' ? undefined : parseBlock(lines, at);
    if (found) {
      endParagraph();
      blocks.push(found.block);
      at = found.end;
      continue;
    }
    if (line.trim() === '') endParagraph();
    else paragraph.push(line);
    at += 1;
  }
  endParagraph();
  return blocks;
}

/** A block, and the line behind it. */
interface Found {
  readonly block: Block;
  readonly end: number;
}

function parseBlock(lines: readonly string[], at: number): Found | undefined {
  const line = lines[at]!;
  const heading = HEADING.exec(line);
  if (heading) return { block: { kind: 'heading', level: heading[1]!.length, text: withoutClosing(heading[2]!) }, end: at + 1 };
  if (RULE.test(line)) return { block: { kind: 'rule' }, end: at + 1 };
  return parseCode(lines, at) ?? parseQuote(lines, at) ?? parseList(lines, at) ?? parseTable(lines, at);
}

/** A heading may end in the marks that it began with. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  return text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text.trimEnd();
}

/** Code between fences; without an end it goes on to the end of the text. */
function parseCode(lines: readonly string[], at: number): Found | undefined {
  const opened = FENCE.exec(lines[at]!);
  if (!opened) return undefined;
  const [, fence, language] = opened;
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end]!, fence!)) end += 1;
  const text = lines.slice(at + 1, end).join('\n');
  return { block: { kind: 'code', language: language!, text }, end: end + 1 };
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && [...text].every((character) => character === fence[0]);
}

function parseQuote(lines: readonly string[], at: number): Found | undefined {
  const quoted: string[] = [];
  let end = at;
  for (let found = QUOTE.exec(lines[end]!); found; found = end < lines.length ? QUOTE.exec(lines[end]!) : null) {
    quoted.push(found[1]!);
    end += 1;
  }
  return end === at ? undefined : { block: { kind: 'quote', text: quoted.join('\n') }, end };
}

/** Items may go on over lines that are set in, and have an empty line between them. */
function parseList(lines: readonly string[], at: number): Found | undefined {
  const first = ITEM.exec(lines[at]!);
  if (!first) return undefined;
  const items: { mark: string; depth: number; text: string }[] = [];
  let end = at;
  while (end < lines.length) {
    const line = lines[end]!;
    const item = ITEM.exec(line);
    if (item && !RULE.test(line)) items.push({ mark: toMark(item[2]!), depth: toDepth(item[1]!), text: item[3]! });
    else if (line.trim() === '' ? !isListLine(lines[end + 1]) : !/^[ \t]/.test(line)) break;
    else if (line.trim() !== '') items.at(-1)!.text += `\n${line.trim()}`;
    end += 1;
  }
  return { block: { kind: 'list', isOrdered: /\d/.test(first[2]!), items }, end };
}

const toMark = (mark: string): string => (/\d/.test(mark) ? mark : '-');
const toDepth = (indent: string): number => Math.min(Math.floor(indent.replaceAll('\t', '    ').length / INDENT), MAX_LIST_DEPTH);
const isListLine = (line: string | undefined): boolean => line !== undefined && ITEM.test(line);

/** A line of cells above a line of dashes. */
function parseTable(lines: readonly string[], at: number): Found | undefined {
  const divider = lines[at + 1];
  if (!lines[at]!.includes('|') || !divider?.includes('|') || !divider.includes('-') || !DIVIDER.test(divider)) return undefined;
  const head = toCells(lines[at]!);
  let end = at + 2;
  const rows: string[][] = [];
  while (end < lines.length && lines[end]!.includes('|')) {
    rows.push(toCells(lines[end]!));
    end += 1;
  }
  return { block: { kind: 'table', head, rows }, end };
}

function toCells(line: string): string[] {
  const text = line.trim();
  const inner = text.slice(text.startsWith('|') ? 1 : 0, text.endsWith('|') && text.length > 1 ? -1 : undefined);
  return inner.split('|', MAX_COLUMNS).map((cell) => cell.trim());
}

const MARKED_LINE = /^(?: {0,3}#{1,6}[ \t]+\S| {0,3}(?:`{3}|~{3})|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S| {0,3}>|[ \t]*\|)/m;
const MARKED_WORDS = /\*\*[^\s*]|`[^`\s]|\]\(https?:/;

/** Whether anything in a text is marked, so that it reads better rendered. */
export const isMarked = (text: string): boolean => MARKED_LINE.test(text) || MARKED_WORDS.test(text);
