import { createHmac, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IdentityProviders } from '../../../core/identity/identity-providers.ts';
import { openIdentityProviders } from '../../../test/setup/identity-providers.ts';
import { CLIENT_ID, type ProviderFacts, SocialIssuer, signingKey } from '../../../test/setup/social-issuer.ts';

const keys = await Promise.all([signingKey('key-1'), signingKey('key-1')]);

let issuer: SocialIssuer;
let attacker: SocialIssuer;
let providers: IdentityProviders;
const logged: string[] = [];
const keep = (message: string) => void logged.push(message);
const log = { info: keep, warn: keep, error: keep };

const open = (facts: ProviderFacts = {}): IdentityProviders =>
  openIdentityProviders({ socialProviders: { custom: issuer.provider(facts) }, log });
const verify = (token: string) => providers.verify('custom', token);

beforeEach(async () => {
  issuer = await SocialIssuer.start(keys[0]);
  attacker = await SocialIssuer.start(keys[1]);
  providers = open();
  logged.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([issuer.stop(), attacker.stop()]);
});

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const withPart = (token: string, index: number, replacement: string): string =>
  token.split('.').with(index, replacement).join('.');
const now = (): number => Math.floor(Date.now() / 1000);

/** Signed with HS256 by the text of the public key, for verifiers that take whatever algorithm the token names. */
async function signedWithPublicKey(): Promise<string> {
  const pem = getPublicKey(issuer).export({ type: 'spki', format: 'pem' });
  const text = `${part({ alg: 'HS256', kid: issuer.key.kid })}.${part(issuer.claims())}`;
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
}
const getPublicKey = ({ key }: SocialIssuer) => createPublicKey({ key: key.publicJwk as never, format: 'jwk' });

const byAttacker = (header: object, claims: JWTPayload = {}) => issuer.token(claims, header, attacker.key);

const FORGED: [string, () => Promise<string>][] = [
  ['no algorithm and no signature', async () => `${part({ alg: 'none' })}.${part(issuer.claims())}.`],
  ['no algorithm under the signature', async () => withPart(await issuer.token(), 0, part({ alg: 'none', kid: 'key-1' }))],
  ['a signature by the public key as a shared one', signedWithPublicKey],
  ["another's key under a known id", () => byAttacker({ kid: 'key-1' })],
  ['an unknown key id', () => byAttacker({ kid: 'key-2' })],
  ["another's key without an id", () => byAttacker({ kid: undefined })],
  ['a key brought along', () => byAttacker({ kid: 'key-1', jwk: attacker.key.publicJwk })],
  ['a key brought along under its own id', () => byAttacker({ kid: 'mine', jwk: { ...attacker.key.publicJwk, kid: 'mine' } })],
  ['a certificate brought along', () => byAttacker({ kid: 'key-1', x5c: [toCertificate(attacker)] })],
  ["keys at the attacker's server", () => byAttacker({ kid: 'key-1', jku: `${attacker.issuer}/keys` })],
  ["a certificate at the attacker's server", () => byAttacker({ kid: 'key-1', x5u: `${attacker.issuer}/cert` })],
  ['a key id that is a path', () => byAttacker({ kid: '../../../../dev/null' })],
  ['a key id that is an address', () => byAttacker({ kid: `${attacker.issuer}/keys` })],
  ['another issuer', () => issuer.token({ iss: attacker.issuer })],
  ['an issuer that only begins alike', () => issuer.token({ iss: `${issuer.issuer}.example.org` })],
  ['another audience', () => issuer.token({ aud: 'somebody-else' })],
  ['no audience', () => issuer.token({ aud: undefined })],
  ['one audience more and no word for whom', () => issuer.token({ aud: [CLIENT_ID, 'somebody-else'] })],
  ['one audience more that asked for it', () => issuer.token({ aud: [CLIENT_ID, 'somebody-else'], azp: 'somebody-else' })],
  ['an end beyond the leeway', () => issuer.token({ iat: now() - 300, exp: now() - 90 })],
  ['a beginning yet to come', () => issuer.token({ nbf: now() + 300 })],
  ['an issue yet to come', () => issuer.token({ iat: now() + 300, exp: now() + 900 })],
  ['an issue too long ago', () => issuer.token({ iat: now() - 700, exp: now() + 3600 })],
  ['no end', () => issuer.token({ exp: undefined })],
  ['no issue', () => issuer.token({ iat: undefined })],
  ['no subject', () => issuer.token({ sub: undefined })],
  ['an empty subject', () => issuer.token({ sub: '' })],
  ['a subject that cannot be kept', () => issuer.token({ sub: 'a\0b' })],
  ['an overlong subject', () => issuer.token({ sub: 'x'.repeat(300) })],
  ['an end that is no number', () => issuer.token({ exp: 'never' as never })],
  ['the type of an access token', () => issuer.token({}, { typ: 'at+jwt' })],
  ['the type of a logout token', () => issuer.token({}, { typ: 'logout+jwt' })],
  [
    'an unknown critical header',
    async () => withPart(await issuer.token(), 0, part({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })),
  ],
  ['a changed payload', async () => withPart(await issuer.token(), 1, part(issuer.claims({ sub: 'person-2' })))],
  ['a changed signature', async () => withPart(await issuer.token(), 2, 'A'.repeat(342))],
  ['a cut signature', async () => (await issuer.token()).slice(0, -8)],
  ['five parts', async () => `${await issuer.token()}.a.b`],
  ['nothing', async () => ''],
  ['garbage', async () => 'garbage'],
  ['dots', async () => '..'],
  ['parts that are no JSON', async () => withPart(await issuer.token(), 0, 'e30x')],
  ['six megabytes', () => issuer.token({ filler: 'x'.repeat(6_000_000) })],
  ['a little too much', () => issuer.token({ filler: 'x'.repeat(16_384) })],
];
const toCertificate = (of: SocialIssuer): string => getPublicKey(of).export({ type: 'spki', format: 'der' }).toString('base64');

const GOOD: [string, () => Promise<string>][] = [
  ['a good one', () => issuer.token()],
  ['with an end half a minute ago', () => issuer.token({ iat: now() - 300, exp: now() - 30 })],
  ['with an issue half a minute ahead', () => issuer.token({ iat: now() + 30, exp: now() + 600 })],
  [
    "with the attacker's server as the place of keys, which is not looked at",
    () => issuer.token({}, { jku: `${attacker.issuer}/keys` }),
  ],
  ['with two audiences that one of ours asked for', () => issuer.token({ aud: [CLIENT_ID, 'somebody-else'], azp: CLIENT_ID })],
  ['with one audience as a list', () => issuer.token({ aud: [CLIENT_ID] })],
  ['with a type', () => issuer.token({}, { typ: 'JWT' })],
  ['without a key id, where there is one key', () => issuer.token({}, { kid: undefined })],
];

describe('an id token', () => {
  it('is refused however it is forged, taken when it is good, and all that fetches the keys once', async () => {
    expect(await verify(await issuer.token())).toMatchObject({ issuer: issuer.issuer, subject: 'person-1' });
    const taken: string[] = [];
    for (const [what, forge] of FORGED) if (await verify(await forge())) taken.push(what);
    expect(taken).toEqual([]);
    const refused: string[] = [];
    for (const [what, make] of GOOD) if (!(await verify(await make()))) refused.push(what);
    expect(refused).toEqual([]);
    expect([issuer.asked, attacker.asked]).toEqual([['/keys'], []]);
  });

  it.each(FORGED)('with %s is refused on an empty cache too', async (_what, forge) => {
    expect(await verify(await forge())).toBeUndefined();
    expect([issuer.asked.length <= 1, attacker.asked]).toEqual([true, []]);
  });

  it.each(['ES256', 'PS256', 'EdDSA'])('may be signed with %s', async (alg) => {
    const key = await signingKey('other', alg);
    issuer.answer = () => issuer.keySet([issuer.key, key]);
    expect(await verify(await issuer.token({}, {}, key))).toMatchObject({ subject: 'person-1' });
  });

  it.each(['RS512', 'ES384'])('may not be signed with %s', async (alg) => {
    const key = await signingKey('other', alg);
    issuer.answer = () => issuer.keySet([issuer.key, key]);
    expect(await verify(await issuer.token({}, {}, key))).toBeUndefined();
  });

  it('tells who it is, and until when it is good', async () => {
    const person = { email: 'ann@example.org', email_verified: true, given_name: 'Ann', family_name: 'Lee' };
    const iat = now() - 100;
    expect(await verify(await issuer.token({ ...person, iat, exp: iat + 3600 }))).toStrictEqual({
      issuer: issuer.issuer,
      subject: 'person-1',
      email: 'ann@example.org',
      email_verified: true,
      first_name: 'Ann',
      last_name: 'Lee',
      expires_at: new Date((iat + 660) * 1000).toISOString(),
    });
    const mute = await verify(await issuer.token({ email: 7, given_name: '' }));
    expect(mute).toMatchObject({ email: null, email_verified: false, first_name: null, last_name: null });
  });

  it.each([undefined, false, 'true', 1, null])('does not prove an address by email_verified: %s', async (email_verified) => {
    const token = await issuer.token({ email: 'ann@example.org', email_verified });
    expect(await verify(token)).toMatchObject({ email_verified: false });
  });

  it('proves an address by saying nothing only where the operator vouches for it', async () => {
    providers = open({ vouches_for_email: true });
    expect(await verify(await issuer.token({ email: 'ann@example.org' }))).toMatchObject({ email_verified: true });
    const denied = await issuer.token({ email: 'ann@example.org', email_verified: false });
    expect(await verify(denied)).toMatchObject({ email_verified: false });
  });

  it('is good for its own provider only', async () => {
    providers = openIdentityProviders({ socialProviders: { custom: issuer.provider(), okta: attacker.provider() }, log });
    expect(await providers.verify('okta', await issuer.token())).toBeUndefined();
    expect(await providers.verify('google', await issuer.token())).toBeUndefined();
    expect(providers.settings('okta')).toMatchObject({ single_use: false });
    expect(providers.settings('google')).toBeUndefined();
    expect(providers.settings('__proto__')).toBeUndefined();
  });

  it('may be checked by keys given beforehand', async () => {
    providers = open({ jwks: { keys: [issuer.key.publicJwk] } });
    expect(await verify(await issuer.token())).toMatchObject({ subject: 'person-1' });
    expect(await verify(await byAttacker({ kid: 'key-1' }))).toBeUndefined();
    expect(issuer.asked).toEqual([]);
  });
});

describe('the keys of an issuer', () => {
  const tick = (ms: number): void => {
    if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + ms);
  };
  const unavailable = { kind: 'unavailable', code: 'identity_provider_unavailable', retryAfterSeconds: 5 };

  it('are looked for again for an unknown id, twice a minute at most', async () => {
    tick(0);
    await verify(await issuer.token());
    for (let i = 0; i < 50; i += 1) await verify(await byAttacker({ kid: `unknown-${i}` }));
    expect(issuer.asked).toHaveLength(1);
    tick(31_000);
    for (let i = 0; i < 50; i += 1) await verify(await byAttacker({ kid: `unknown-${i}` }));
    expect(issuer.asked).toHaveLength(2);
  });

  it('may be replaced by the issuer', async () => {
    tick(0);
    await verify(await issuer.token());
    const next = await signingKey('key-2');
    issuer.answer = () => issuer.keySet([next]);
    tick(31_000);
    expect(await verify(await issuer.token({}, {}, next))).toMatchObject({ subject: 'person-1' });
    expect(await verify(await issuer.token())).toBeUndefined();
  });

  it('are fetched once for all that ask at the same time', async () => {
    const token = await issuer.token();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(answers.every((answer) => answer !== undefined)).toBe(true);
    expect(issuer.asked).toHaveLength(1);
  });

  it('serve on while the issuer is down, for a day', async () => {
    tick(0);
    await verify(await issuer.token());
    issuer.answer = () => ({ status: 500, body: 'down' });
    tick(11 * 60_000);
    expect(await verify(await issuer.token())).toMatchObject({ subject: 'person-1' });
    await issuer.stop();
    tick(12 * 3600_000);
    expect(await verify(await issuer.token())).toMatchObject({ subject: 'person-1' });
    tick(12 * 3600_000);
    await expect(verify(await issuer.token())).rejects.toMatchObject(unavailable);
    expect(logged.length).toBeGreaterThan(0);
  });

  it('that were never had are asked for again after a moment, not by every login', async () => {
    tick(0);
    issuer.answer = () => ({ status: 503, body: '' });
    for (let i = 0; i < 10; i += 1) await expect(verify(await issuer.token())).rejects.toMatchObject(unavailable);
    expect(issuer.asked).toHaveLength(1);
    issuer.answer = () => issuer.keySet([issuer.key]);
    tick(5_000);
    expect(await verify(await issuer.token())).toMatchObject({ subject: 'person-1' });
  });

  it.each<[string, () => SocialIssuer['answer']]>([
    ['something else', () => () => ({ body: '<html>' })],
    ['no keys', () => () => ({ body: '{}' })],
    ['another place', () => () => ({ status: 302, headers: { location: `${attacker.issuer}/keys` }, body: '' })],
    ['too much', () => () => ({ body: JSON.stringify({ keys: [issuer.key.publicJwk], filler: 'x'.repeat(300_000) }) })],
  ])('are not had when the answer is %s', async (_what, answer) => {
    issuer.answer = answer();
    await expect(verify(await issuer.token())).rejects.toMatchObject(unavailable);
    expect(attacker.asked).toEqual([]);
  });

  it('are not waited for longer than five seconds', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    providers = open({ jwks_url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/keys` });
    const started = performance.now();
    await expect(verify(await issuer.token())).rejects.toMatchObject(unavailable);
    expect(performance.now() - started).toBeLessThan(8_000);
    silent.closeAllConnections();
    silent.close();
  });
});
