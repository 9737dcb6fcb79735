import { describe, expect, it } from 'vitest';
import { termsIn, toTextFilters } from './text-terms.ts';

const said = (text: string, match: 'words' | 'part' = 'words') =>
  toTextFilters(text, match).map(({ column_id, value }) => [column_id, value]);

describe('a typed text', () => {
  it('is whole words together, each phrase and each term without spaces by itself', () => {
    expect(said(' rate  limit ')).toEqual([['words', 'rate limit']]);
    expect(said('order "rate limit" 退款 late')).toEqual([
      ['words', 'order late'],
      ['content', 'rate limit'],
      ['content', '退款'],
    ]);
  });

  it('is looked for inside of words where that is asked for', () => {
    expect(said('passwor res', 'part')).toEqual([
      ['content', 'passwor'],
      ['content', 'res'],
    ]);
  });

  it('may have a quote that is not closed', () => {
    expect(termsIn('say "hello world')).toEqual(['say', '"hello', 'world']);
    expect(termsIn('""')).toEqual(['""']);
  });
});
