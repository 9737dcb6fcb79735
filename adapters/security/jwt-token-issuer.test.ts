import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { JwtTokenIssuer } from './jwt-token-issuer.ts';

const OLD = 'the older secret of these tests, long enough';
const NEW = 'the newer secret of these tests, long enough';
const CLAIMS = { user_id: '7d1f8f0e-51f1-4b8c-9a55-6b1d1f1a2b3c', token_version: 4, api_key_id: null };
const SESSION = '3c2b1a0d-51f1-4b8c-9a55-6b1d1f1a2b3c';
/** As they are read again. */
const VERIFIED = { ...CLAIMS, session_id: SESSION };
const issuer = new JwtTokenIssuer([NEW]);

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const bytes = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** A token as this issuer makes them, but for what is given. */
const forged = (claims: object = {}, header: object = {}, secret = NEW): Promise<string> =>
  new SignJWT({ tv: 4, iss: 'touchstone', aud: 'touchstone-api', sub: CLAIMS.user_id, sid: SESSION, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(bytes(secret));

afterEach(() => {
  vi.useRealTimers();
});

describe('access tokens', () => {
  it('say again what they were made of', async () => {
    expect(await issuer.verify(await issuer.issue(VERIFIED))).toStrictEqual(VERIFIED);
    const ofKey = { ...VERIFIED, api_key_id: '0a1b2c3d-51f1-4b8c-9a55-6b1d1f1a2b3c' };
    expect(await issuer.verify(await issuer.issue(ofKey))).toStrictEqual(ofKey);
  });

  it('of no login name themselves in its place', async () => {
    const token = await issuer.issue(CLAIMS);
    expect(await issuer.verify(token)).toStrictEqual({ ...CLAIMS, session_id: decodeJwt(token).jti });
  });

  it('carry what clients and operators read, and nothing of the secret', async () => {
    const token = await issuer.issue(VERIFIED);
    expect(decodeProtectedHeader(token)).toStrictEqual({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^[\w-]{16}$/),
    });
    const payload = decodeJwt(token);
    expect(payload).toMatchObject({ iss: 'touchstone', aud: 'touchstone-api', sub: CLAIMS.user_id, tv: 4 });
    expect(payload.exp! - payload.iat!).toBe(24 * 60 * 60);
    expect(payload.jti).not.toBe(decodeJwt(await issuer.issue(VERIFIED)).jti);
  });

  it('end after 24 hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await issuer.issue(VERIFIED);
    vi.advanceTimersByTime(24 * 3600_000 - 1000);
    expect(await issuer.verify(token)).toStrictEqual(VERIFIED);
    vi.advanceTimersByTime(62_000);
    expect(await issuer.verify(token)).toBeUndefined();
  });

  it.each<[string, () => Promise<string>]>([
    ['nothing', async () => ''],
    ['garbage', async () => 'not.a.token'],
    ['dots', async () => '...'],
    ['an unsigned one', async () => `${part({ alg: 'none', typ: 'at+jwt' })}.${(await forged()).split('.')[1]}.`],
    ['another secret', () => forged({}, {}, 'a secret that nobody here knows of')],
    ['an unknown key', () => forged({}, { kid: 'AAAAAAAAAAAAAAAA' })],
    ['a key that is no text', () => forged({}, { kid: 7 })],
    ['another type', () => forged({}, { typ: 'JWT' })],
    ['another issuer', () => forged({ iss: 'somebody' })],
    ['another audience', () => forged({ aud: 'somebody' })],
    ['no version', () => forged({ tv: undefined })],
    ['a version that is no number', () => forged({ tv: '4' })],
    ['neither a login nor an id', () => forged({ sid: undefined })],
    ['no subject', () => forged({ sub: undefined })],
    ['a changed payload', async () => withPart(await forged(), 1, part({ sub: 'root', tv: 4 }))],
    ['a changed signature', async () => withPart(await forged(), 2, 'A'.repeat(43))],
    ['a signature of nothing', async () => withPart(await forged(), 2, '')],
  ])('with %s are refused', async (_what, make) => {
    expect(await issuer.verify(await make())).toBeUndefined();
  });

  it('are taken with one algorithm only, also under the right secret', async () => {
    const long = NEW.repeat(2);
    const signedWith = (alg: string) => forged({}, { alg }, long);
    expect(await new JwtTokenIssuer([long]).verify(await signedWith('HS512'))).toBeUndefined();
    expect(await new JwtTokenIssuer([long]).verify(await signedWith('HS256'))).toStrictEqual(VERIFIED);
  });

  it('are refused for what is wrong with those above: the same without it is good', async () => {
    expect(await issuer.verify(await forged())).toStrictEqual(VERIFIED);
  });
});

describe('a new secret', () => {
  const rotated = new JwtTokenIssuer([NEW, OLD]);

  it('signs, and the old one still verifies', async () => {
    const before = await new JwtTokenIssuer([OLD]).issue(VERIFIED);
    expect(await rotated.verify(before)).toStrictEqual(VERIFIED);
    expect(await issuer.verify(await rotated.issue(VERIFIED))).toStrictEqual(VERIFIED);
  });

  it('ends the tokens of the old one at once where that is gone', async () => {
    const before = await new JwtTokenIssuer([OLD]).issue(VERIFIED);
    expect(await issuer.verify(before)).toBeUndefined();
  });

  it('leaves tokens without the name of a key good, whichever signed them', async () => {
    for (const secret of [OLD, NEW]) expect(await rotated.verify(await forged({}, {}, secret))).toStrictEqual(VERIFIED);
    expect(await issuer.verify(await forged({}, {}, OLD))).toBeUndefined();
  });

  it('has to be there, and long enough', () => {
    expect(() => new JwtTokenIssuer([])).toThrow('no secret');
    expect(() => new JwtTokenIssuer([NEW, 'short'])).toThrow('at least 32 bytes');
  });
});

describe('verification tokens', () => {
  it('say which address they are for, for 15 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await issuer.issueForVerification('ann@example.org');
    expect(await issuer.verifyForVerification(token)).toBe('ann@example.org');
    vi.advanceTimersByTime(15 * 60_000 + 61_000);
    expect(await issuer.verifyForVerification(token)).toBeUndefined();
  });

  it('are no access tokens, and access tokens are none of them', async () => {
    expect(await issuer.verify(await issuer.issueForVerification(CLAIMS.user_id))).toBeUndefined();
    expect(await issuer.verifyForVerification(await issuer.issue(VERIFIED))).toBeUndefined();
    expect(await issuer.verifyForVerification('garbage')).toBeUndefined();
  });
});

function withPart(token: string, index: number, replacement: string): string {
  return token.split('.').with(index, replacement).join('.');
}
