import { describe, expect, it } from 'vitest';
import { redacted, secretWords } from './secret-words.ts';

const SECRET = 'sk/é+"live"-0123456789';
const hide = (text: string, ...secrets: unknown[]) => redacted(text, secretWords(secrets.length > 0 ? secrets : [SECRET]));
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets in a message', () => {
  it.each([
    ['as they are', SECRET],
    ['inside JSON', JSON.stringify({ key: SECRET })],
    ['percent-encoded', `https://example.org/?key=${encodeURIComponent(SECRET)}`],
    ['percent-encoded in small letters', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['in base64', base64(SECRET)],
    ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in a Basic header, one letter before', `Basic ${base64(`u:${SECRET}`)}`],
    ['in a Basic header, two letters before', `Basic ${base64(`us:${SECRET}`)}`],
    ['in a Basic header, with more behind', `Basic ${base64(`use:${SECRET}:tail`)}`],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ])('are replaced %s', (_, text) => {
    const shown = hide(text);
    expect(shown).toContain('[secret]');
    for (const form of ['0123456789', base64('0123456789').slice(0, 12), Buffer.from('0123456789').toString('hex')])
      expect(shown).not.toContain(form);
  });

  it('are replaced every time, the longest first', () => {
    expect(hide('a abcdef b abcd c', 'abcd', 'abcdef')).toBe('a [secret] b [secret] c');
  });

  it('are found in maps and lists, in secrets that are JSON, and line by line', () => {
    const key = '-----BEGIN KEY-----\nAAAABBBBCCCC\n-----END KEY-----';
    const account = JSON.stringify({ type: 'x', private_key: key, client_id: 'client-7' });
    expect(hide('AAAABBBBCCCC and client-7, x', account)).toBe('[secret] and [secret], x');
    expect(hide('one-header', { 'x-key': 'one-header' })).toBe('[secret]');
  });

  it('are left alone where they are too short to be told from text', () => {
    expect(hide('abc is a part of abcd', 'abc', 7, null)).toBe('abc is a part of abcd');
  });
});
