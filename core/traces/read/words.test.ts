import { describe, expect, it } from 'vitest';
import { toWordText, wordsIn } from './words.ts';

describe('words', () => {
  it('are runs of letters and digits of any alphabet, in lower case, each once', () => {
    expect(wordsIn('Refund-policy: 30 DAYS, refund! snake_case')).toEqual(['refund', 'policy', '30', 'days', 'snake_case']);
    expect(wordsIn('Straße Ελλάδα 東京 naïve ﬁne')).toEqual(['straße', 'ελλάδα', '東京', 'naïve', 'fine']);
    expect(wordsIn('')).toEqual([]);
    expect(wordsIn('\0\ud800 a')).toEqual(['a']);
  });

  it('of a record are those of its name and of every text in input and output, not of keys', () => {
    const input = [{ role: 'user', content: 'line\none "quoted"' }];
    const output = { content: [{ type: 'text', text: 'Answer' }], metadata: { rank: 1 } };
    const text = toWordText({ name: 'chat call', input, output });
    expect(text).toMatch(/^ chat call .* $/);
    expect(new Set(text.trim().split(' '))).toEqual(new Set(['chat', 'call', 'user', 'line', 'one', 'quoted', 'text', 'answer']));
  });

  it('are bounded in length and number', () => {
    expect(wordsIn('x'.repeat(1_000))).toEqual(['x'.repeat(64)]);
    const many = Array.from({ length: 6_000 }, (_, number) => `w${number}`).join(' ');
    expect(wordsIn(many)).toHaveLength(5_000);
  });
});
