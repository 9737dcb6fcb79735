import { describe, expect, it } from 'vitest';
import { MAX_REPLY_CHARACTERS, toReplyText } from './tool-reply.ts';

const within = (text: string): string => {
  const [, nonce] = /^<data (\S+)>$/m.exec(text)!;
  return text.split(`<data ${nonce}>\n`)[1]!.split(`\n</data ${nonce}>`)[0]!;
};

describe('the reply of a tool', () => {
  it('is the whole of what was found where that is small', () => {
    const found = { a: [1, null, 'é'], b: { c: true } };
    expect(JSON.parse(within(toReplyText(found)))).toEqual(found);
    expect(toReplyText(found)).not.toContain('cut');
    expect(within(toReplyText(undefined))).toBe('null');
  });

  it('has long strings cut as far as it takes', () => {
    const few = toReplyText({ text: 'x'.repeat(9_000) });
    expect(few).toContain('Strings were cut after 8000 characters');
    const many = toReplyText(Array.from({ length: 100 }, () => 'x'.repeat(9_000)));
    expect(many).toContain('Strings were cut after 500 characters');
    expect(JSON.parse(within(many))).toHaveLength(100);
    expect(many.length).toBeLessThan(MAX_REPLY_CHARACTERS + 500);
  });

  it('ends early where cut strings do not help, and says that it is not complete', () => {
    const text = toReplyText(Array.from({ length: 50_000 }, (_, at) => at));
    expect(text).toContain('is not complete');
    expect(within(text)).toHaveLength(MAX_REPLY_CHARACTERS);
  });
});
