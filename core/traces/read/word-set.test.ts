import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WordSet } from './word-set.ts';

const word = fc.oneof(fc.stringMatching(/^[a-c]{1,3}$/), fc.stringMatching(/^[a-zé東]{1,70}$/));

it('holds each word once, cut at 64 letters, in the order they came', () => {
  const set = new WordSet();
  fc.assert(
    fc.property(fc.array(word, { maxLength: 300 }), (words) => {
      const text = words.join('-');
      let at = 0;
      for (const { length } of words) {
        set.add(text, at, at + length);
        at += length + 1;
      }
      const kept = [...new Set(words.map((one) => one.slice(0, 64)))];
      expect(set.take()).toBe([' ', ...kept.map((one) => `${one} `)].join(''));
    }),
  );
});

it('is full with 5,000 words, and empty again when they were taken', () => {
  const set = new WordSet();
  for (let at = 0; at < 6_000; at += 1) set.add(`w${at}`, 0, `w${at}`.length);
  expect(set.isFull).toBe(true);
  expect(set.take().split(' ')).toHaveLength(5_002);
  set.add('w1', 0, 2);
  expect(set.take()).toBe(' w1 ');
});

it('keeps words apart whose hashes are the same', () => {
  const set = new WordSet();
  for (const one of ['costarring', 'liquid', 'declinate', 'macallums', 'liquid']) set.add(one, 0, one.length);
  expect(set.take()).toBe(' costarring liquid declinate macallums ');
});
