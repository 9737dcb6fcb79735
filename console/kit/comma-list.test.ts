import { expect, it } from 'vitest';
import { commaList } from './comma-list.ts';

it('takes a list from a line of text, each word once', () => {
  expect(commaList(' a, b c,,a ')).toEqual(['a', 'b c']);
  expect(commaList(' , ')).toEqual([]);
});
