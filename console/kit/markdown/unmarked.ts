import { type Block, isMarked, parseBlocks } from './blocks.ts';
import { type Inline, parseInlines } from './inline.ts';

/** The words of a text in Markdown without their marks, for places that have a line or two for them. */
export const unmarked = (text: string): string => (isMarked(text) ? parseBlocks(text).map(blockText).join('\n') : text);

function blockText(block: Block): string {
  if (block.kind === 'code') return block.text;
  if (block.kind === 'rule') return '—';
  if (block.kind === 'table') return [block.head, ...block.rows].map((cells) => cells.map(wordsOf).join(' · ')).join('\n');
  if (block.kind === 'list')
    return block.items.map(({ mark, text }) => `${mark === '-' ? '•' : mark} ${wordsOf(text)}`).join('\n');
  return wordsOf(block.text);
}

const wordsOf = (text: string): string => inlineText(parseInlines(text));
const inlineText = (inlines: readonly Inline[]): string =>
  inlines.map((inline) => ('text' in inline ? inline.text : inlineText(inline.inlines))).join('');
