import { describe, expect, it } from 'vitest';
import { BLOCK_RECORDS, toPostingKey, toSlices } from './word-postings.ts';

const toText = (words: readonly string[]): string => ` ${words.join(' ')} `;

/** As a search reads them. */
function computeOrdinals(word: string, records: readonly string[][]): number[] {
  const { slice, key } = toPostingKey(word);
  const postings = toSlices(records.map(toText)).find((one) => one.slice === slice)?.postings ?? '';
  const ordinals = postings.split(key)[1]?.split(';')[0] ?? '';
  return (ordinals.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
}

describe('postings', () => {
  it('tell for every word which records of the block hold it', () => {
    const records = Array.from({ length: BLOCK_RECORDS }, (_, at) => ['all', `own${at}`, at % 2 === 0 ? 'even' : 'odd']);
    const everyOne = records.map((_, at) => at);
    expect(computeOrdinals('all', records)).toEqual(everyOne);
    expect(computeOrdinals('even', records)).toEqual(everyOne.filter((at) => at % 2 === 0));
    for (const at of everyOne) expect(computeOrdinals(`own${at}`, records)).toContain(at);
    expect(computeOrdinals('none', records)).toEqual([]);
  });

  it('leave out what no word is in', () => {
    expect(toSlices([])).toEqual([]);
    expect(toSlices([' ', ' 東京 ', ''])).toEqual(
      [{ ...toPostingKey('東京'), postings: expect.stringMatching(/^;.{4}01$/) }].map(({ slice, postings }) => ({
        slice,
        postings,
      })),
    );
  });

  it('are plain ASCII, as keys are', () => {
    const records = [Array.from({ length: 2_000 }, (_, at) => `wörd${at}`)];
    for (const { postings } of toSlices(records.map(toText))) expect(postings).toMatch(/^(;[A-Za-z0-9_-]{4}([0-9a-f]{2})+)+$/);
    expect(toPostingKey('wörd1').key).toMatch(/^;[A-Za-z0-9_-]{4}$/);
  });
});
