import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../test/setup/timing.ts';
import { isMarked, parseBlocks } from './blocks.ts';
import { splitCode } from './code-words.ts';
import { parseInlines } from './inline.ts';
import { unmarked } from './unmarked.ts';

const text = (words: string) => ({ kind: 'text', text: words });

describe('blocks of Markdown', () => {
  it('are headings, paragraphs, lists, quotes, code, tables and rules', () => {
    const blocks = parseBlocks(
      [
        ...['## Cause ##', 'Two lines', 'of one paragraph', '', '- one', '  goes on', '  - within', '', '- two', '---'],
        ...['> said', '> by her', '```ts', 'const a = 1;', '', '# no heading', '```', '| a | b |', '|---|:-:|', '| 1 | 2 |'],
      ].join('\n'),
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 2, text: 'Cause' },
      { kind: 'paragraph', text: 'Two lines\nof one paragraph' },
      {
        kind: 'list',
        isOrdered: false,
        items: [
          { mark: '-', depth: 0, text: 'one\ngoes on' },
          { mark: '-', depth: 1, text: 'within' },
          { mark: '-', depth: 0, text: 'two' },
        ],
      },
      { kind: 'rule' },
      { kind: 'quote', text: 'said\nby her' },
      { kind: 'code', language: 'ts', text: 'const a = 1;\n\n# no heading' },
      { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] },
    ]);
  });

  it('keep the numbers of a list, and code that has no end', () => {
    expect(parseBlocks('3. three\n4) four')).toEqual([
      {
        kind: 'list',
        isOrdered: true,
        items: [
          { mark: '3.', depth: 0, text: 'three' },
          { mark: '4)', depth: 0, text: 'four' },
        ],
      },
    ]);
    expect(parseBlocks('```\nlost')).toEqual([{ kind: 'code', language: '', text: 'lost' }]);
  });

  it('lose no word of a text that is not marked', () => {
    const plain = 'a < b, 3 * 4\n  set in\n\n\n#hashtag 1) -x\n| a lonely bar';
    const words = parseBlocks(plain).map((block) => ('text' in block ? block.text : block.kind));
    expect(words).toEqual(['a < b, 3 * 4\n  set in', '#hashtag 1) -x\n| a lonely bar']);
  });

  it.each([
    ['# Title', true],
    ['see `code`', true],
    ['**strong**', true],
    ['Hello, it costs 3 * 4 = 12.', false],
    ['{"a": 1}', false],
  ])('are looked for in %j: %s', (words, expected) => {
    expect(isMarked(words)).toBe(expected);
  });
});

describe('a text in Markdown', () => {
  it('is told in a line or two without its marks', () => {
    expect(unmarked('## Why\n\n- **one** of `two`\n\n| a | b |\n|---|---|\n| 1 | [2](https://example.org) |')).toBe(
      'Why\n• one of two\na · b\n1 · 2',
    );
    expect(unmarked('a * b')).toBe('a * b');
  });
});

describe('code', () => {
  it.each([
    ['python', 'if a: # why\n  return "x#y"', ['if', '# why', 'return', '"x#y"']],
    ['ts', "const a = 'b\\'c'; // done", ['const', "'b\\'c'", '// done']],
    ['json', '{"a": [1.5, true, null]}', ['"a"', '1.5', 'true', 'null']],
    ['sql', "SELECT a FROM b -- 'all'", ['SELECT', 'FROM', "-- 'all'"]],
    ['', 'const a', []],
  ])('in %s is told apart into words, and loses none', (language, code, marked) => {
    const words = splitCode(code, language);
    expect(words.map(({ text }) => text).join('')).toBe(code);
    expect(words.filter(({ kind }) => kind).map(({ text }) => text)).toEqual(marked);
  });
});

describe('words within a line', () => {
  it('are strong, emphasized, deleted, code and links', () => {
    expect(parseInlines('a **b *c* d** `e*f*` ~~g~~ [h](https://example.org)')).toEqual([
      text('a '),
      { kind: 'strong', inlines: [text('b '), { kind: 'emphasis', inlines: [text('c')] }, text(' d')] },
      text(' '),
      { kind: 'code', text: 'e*f*' },
      text(' '),
      { kind: 'deleted', inlines: [text('g')] },
      text(' '),
      { kind: 'link', url: 'https://example.org', inlines: [text('h')] },
    ]);
  });

  it.each([
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['**no end', '**no end'],
    ['\\*stars\\*', '*stars*'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['[ ] to do', '[ ] to do'],
  ])('are left alone in %j', (words, expected) => {
    const inlines = parseInlines(words);
    expect(inlines.map((one) => ('text' in one ? one.text : one.kind)).join('')).toBe(expected);
  });

  it('cost linear time, whatever is marked and never ends', () => {
    const time = (repeated: string, size: number) => processorMs(() => parseInlines(repeated.repeat(size)));
    for (const repeated of ['*a ', '**a', '[', '`a', '_a', '[a](', '*a**']) {
      const [small, large] = [time(repeated, 4_000), time(repeated, 40_000)];
      expect(large, repeated).toBeLessThan(40 * small + 200);
    }
  });
});
