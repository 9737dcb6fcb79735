import { describe, expect, it } from 'vitest';
import { hasWords, toTextFilters } from './text-search.ts';

const said = (text: string, isPart = false) => toTextFilters(text, isPart).map(({ column_id, value }) => [column_id, value]);

describe('the text that records are searched by', () => {
  it('is looked for by whole words, which have an index', () => {
    expect(said(' refund  policy ')).toEqual([['words', 'refund policy']]);
    expect(said('   ')).toEqual([]);
  });

  it('is looked for as it is in a script without spaces, beside the words around it', () => {
    expect(said('退款')).toEqual([['content', '退款']]);
    expect(said('order 退款')).toEqual([
      ['words', 'order'],
      ['content', '退款'],
    ]);
    expect([hasWords('退款'), hasWords('order 退款')]).toEqual([false, true]);
  });

  it('is looked for in parts of words when that is asked for', () => {
    expect(said('passwor rese', true)).toEqual([
      ['content', 'passwor'],
      ['content', 'rese'],
    ]);
  });
});
