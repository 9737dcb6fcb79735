import { describe, expect, it } from 'vitest';
import type { SealedSecrets } from '../../core/integrations/secret-box.ts';
import { AesSecretBox } from './aes-secret-box.ts';

const OLD = 'an old key that is long enough to be one';
const NEW = 'a new key that is long enough to be one, too';
const box = new AesSecretBox(() => [OLD]);
const SECRETS = [
  { path: ['token'], text: 'sk-canary' },
  { path: ['token', 'inner'], text: 'NUL \0 and 🦜' },
];

describe('the secret box', () => {
  it('opens what it sealed', () => {
    expect(box.open('one', box.seal('one', SECRETS))).toEqual(SECRETS);
    expect(box.open('one', box.seal('one', []))).toEqual([]);
  });

  it('shows nothing of a secret, and seals the same differently each time', () => {
    const [first, second] = [box.seal('one', SECRETS), box.seal('one', SECRETS)];
    const text = JSON.stringify(first);
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const)
      expect(text).not.toContain(Buffer.from('sk-canary').toString(encoding));
    expect(first.fields[0]!.text).not.toBe(second.fields[0]!.text);
    expect(first.key).not.toBe(second.key);
  });

  const sealed = box.seal('one', SECRETS);
  const other = box.seal('two', SECRETS);
  const [token, inner] = sealed.fields as [SealedSecrets['fields'][0], SealedSecrets['fields'][0]];
  const flipped = (text: string) => text.slice(0, -1) + (text.endsWith('A') ? 'Q' : 'A');
  it.each<[string, string, SealedSecrets]>([
    ['all of another row', 'one', other],
    ['the data key of another row', 'one', { ...sealed, key: other.key }],
    ['a field of another row', 'one', { ...sealed, fields: other.fields }],
    ['a field moved to another', 'one', { ...sealed, fields: [{ ...token, path: inner.path }] }],
    ['a changed field', 'one', { ...sealed, fields: [{ ...token, text: flipped(token.text) }] }],
    ['a changed key', 'one', { ...sealed, key: flipped(sealed.key) }],
    ['a cut field', 'one', { ...sealed, fields: [{ ...token, text: token.text.slice(0, 12) }] }],
    ['another version', 'one', { ...sealed, fields: [{ ...token, text: token.text.replace('v1', 'v2') }] }],
    ['no text at all', 'one', { ...sealed, fields: [{ ...token, text: '' }] }],
    ['its own, asked for as of another row', 'three', sealed],
  ])('does not open %s', (_what, owner, wrong) => {
    expect(() => box.open(owner, wrong)).toThrow('encrypted secrets do not open');
  });

  it('names the key that it lacks, and no other opens in its place', () => {
    const stranger = new AesSecretBox(() => [NEW]);
    expect(stranger.knows(sealed.key_id)).toBe(false);
    expect(() => stranger.open('one', sealed)).toThrow(`key ${box.currentKeyId}, which is not given`);
    expect(() => stranger.open('one', { ...sealed, key_id: stranger.currentKeyId })).toThrow('do not open');
  });

  it('reads by old keys, writes by the newest, and rewraps without touching the fields', () => {
    const rotated = new AesSecretBox(() => [NEW, OLD]);
    expect(rotated.open('one', sealed)).toEqual(SECRETS);
    expect(rotated.seal('one', SECRETS).key_id).toBe(rotated.currentKeyId);
    const rewrapped = rotated.rewrap('one', sealed);
    expect(rewrapped).toMatchObject({ key_id: rotated.currentKeyId, fields: sealed.fields });
    expect(new AesSecretBox(() => [NEW]).open('one', rewrapped)).toEqual(SECRETS);
    expect(() => box.open('one', rewrapped)).toThrow('not given');
  });

  it('asks for its keys again when it meets one that it does not know', () => {
    let keys = [OLD];
    const running = new AesSecretBox(() => keys);
    keys = [NEW, OLD];
    const fresh = new AesSecretBox(() => keys).seal('one', SECRETS);
    expect(running.open('one', fresh)).toEqual(SECRETS);
    expect(running.currentKeyId).toBe(fresh.key_id);
  });

  it('is not made without a key', () => {
    expect(() => new AesSecretBox(() => [])).toThrow('no key');
  });
});
