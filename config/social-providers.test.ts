import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from './env.ts';
import { INSTALLED } from './plugins.ts';
import { checkSocialProviders, hostsIn } from './social-providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-providers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BROKEN = join(folder, 'broken.json');
writeFileSync(BROKEN, '{');
const KEY = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'one' };
const GOOD = { issuer: 'https://id.example.org', audience: 'client-1', jwks_url: 'https://id.example.org/keys' };
/** As at start: what the host reads of the setting, then what the plugins say of it. */
function read(providers: unknown) {
  const { socialProviders } = readConfig({ SOCIAL_PROVIDERS: JSON.stringify(providers) });
  checkSocialProviders(INSTALLED, socialProviders);
  return socialProviders;
}

describe('SOCIAL_PROVIDERS', () => {
  it('is empty by default', () => {
    expect(readConfig({}).socialProviders).toEqual({});
  });

  it("parts what the host reads from what is the plugin's", () => {
    const several = { ...GOOD, issuer: ['https://a.example.org', 'https://b.example.org'], audience: ['one', 'two'] };
    expect(read({ okta: GOOD, custom: { ...several, sign_up_domains: ['Example.ORG'], single_use: true } })).toEqual({
      okta: { sign_up_domains: null, single_use: false, settings: GOOD },
      custom: { sign_up_domains: ['example.org'], single_use: true, settings: several },
    });
  });

  it('takes keys as they are, and any setting from a file', () => {
    const path = join(folder, 'keys.json');
    writeFileSync(path, JSON.stringify({ keys: [KEY] }));
    const { jwks_url: _, ...rest } = GOOD;
    for (const keys of [{ jwks: { keys: [KEY] } }, { jwks_file: path }])
      expect(read({ saml: { ...rest, ...keys } }).saml?.settings).toEqual({ ...rest, jwks: { keys: [KEY] } });
    writeFileSync(path, 'client-1\n');
    const { audience: __, ...others } = GOOD;
    expect(read({ saml: { ...others, audience_file: path } }).saml?.settings).toEqual(GOOD);
  });

  it.each(['http://127.0.0.1:9/keys', 'http://localhost/keys', 'http://[::1]:9/keys'])('takes %s', (jwks_url) => {
    expect(read({ custom: { ...GOOD, jwks_url } }).custom?.settings).toMatchObject({ jwks_url });
  });

  it('names the hosts that providers may be reached at, each with its port', () => {
    const settings = {
      ...GOOD,
      issuer: ['https://id.example.org/a', 'accounts.example.org'],
      jwks_url: 'http://localhost:9/keys',
    };
    expect(hostsIn(read({ custom: settings }))).toEqual(['id.example.org:443', 'localhost:9']);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown provider', { gitlab: GOOD }, /gitlab: no plugin for it is installed/],
    ['a list', [GOOD], /SOCIAL_PROVIDERS/],
    ['no issuer', { okta: { ...GOOD, issuer: undefined } }, /okta\.issuer/],
    ['no audience', { okta: { ...GOOD, audience: [] } }, /okta\.audience/],
    ['keys over plain HTTP', { okta: { ...GOOD, jwks_url: 'http://id.example.org/keys' } }, /has to be https/],
    [
      'keys over plain HTTP beside the loopback',
      { okta: { ...GOOD, jwks_url: 'http://127.0.0.1.example.org' } },
      /has to be https/,
    ],
    ['keys in a file address', { okta: { ...GOOD, jwks_url: 'file:///etc/keys' } }, /has to be https/],
    ['no keys', { okta: { ...GOOD, issuer: 'accounts.example.org', jwks_url: undefined } }, /needs one of jwks_url/],
    ['keys twice', { okta: { ...GOOD, jwks: { keys: [KEY] } } }, /takes one of/],
    ['a code flow without an issuer to ask', { okta: { ...GOOD, issuer: 'id.example.org', flow: 'code' } }, /code flow/],
    ['a missing file', { okta: { ...GOOD, jwks_url: undefined, jwks_file: '/nowhere/keys.json' } }, /cannot be read/],
    ['a file that is not JSON', { okta: { ...GOOD, jwks_url: undefined, jwks_file: BROKEN } }, /is not JSON/],
    ['a setting twice', { okta: { ...GOOD, audience_file: BROKEN } }, /audience are both there/],
    ['a path that is none', { okta: { ...GOOD, jwks_url: undefined, jwks_file: 7 } }, /is not a path/],
    ['a private key', { okta: { ...GOOD, jwks_url: undefined, jwks: { keys: [{ ...KEY, d: 'AA' }] } } }, /private key/],
    ['a shared key', { okta: { ...GOOD, jwks_url: undefined, jwks: { keys: [{ kty: 'oct', k: 'AA' }] } } }, /kty/],
    ['a tenant left open', { 'azure-ad': { ...GOOD, issuer: 'https://login.example.org/{tenantid}/v2.0' } }, /placeholder/],
    ['a misspelt setting', { okta: { ...GOOD, singleuse: true } }, /singleuse/],
    ['an issuer of two providers', { okta: GOOD, google: GOOD }, /two providers/],
  ])('refuses %s', (_what, providers, problem) => {
    expect(() => read(providers)).toThrow(problem);
  });

  it('refuses what is not JSON, and tells all problems at once', () => {
    expect(() => readConfig({ SOCIAL_PROVIDERS: '{' })).toThrow(/is not JSON/);
    const bad = () => read({ okta: { ...GOOD, issuer: '' }, google: { ...GOOD, audience: 7 } });
    for (const place of ['okta.issuer', 'google.audience']) expect(bad).toThrow(place);
  });
});
