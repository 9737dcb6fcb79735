import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openIdentityProviders } from '../../../test/setup/identity-providers.ts';
import { CLIENT_ID, type ProviderFacts, SocialIssuer, signingKey } from '../../../test/setup/social-issuer.ts';

const key = await signingKey('key-1', 'ES256');
const logged: string[] = [];
const keep = (message: string) => void logged.push(message);
const log = { info: keep, warn: keep, error: keep };

let issuer: SocialIssuer;
beforeEach(async () => {
  issuer = await SocialIssuer.start(key);
  issuer.answer = () => issuer.description();
  logged.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.stop();
});

const open = (facts: ProviderFacts = {}) => openIdentityProviders({ socialProviders: { okta: issuer.provider(facts) }, log });
const signIn = () => ({
  provider: 'okta',
  client_id: CLIENT_ID,
  authorization_endpoint: `${issuer.issuer}/authorize`,
  flow: 'implicit',
});
const at = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('where an issuer signs people in', () => {
  it('tells where the issuer signs people in, by its own description', async () => {
    expect(await open().list()).toEqual([signIn()]);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('asks once for many who ask, and again after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const directory = open();
    await Promise.all([directory.list(), directory.list()]);
    at(9 * 60_000);
    await directory.list();
    expect(issuer.asked).toHaveLength(1);
    at(2 * 60_000);
    await directory.list();
    expect(issuer.asked).toHaveLength(2);
  });

  it.each([
    ['an error', () => ({ status: 500, body: '' })],
    ['no JSON', () => ({ body: '<html>' })],
    ['the name of another issuer', () => issuer.description({ issuer: 'https://other.example' })],
    ['an address that is not https', () => issuer.description({ authorization_endpoint: 'http://id.example/authorize' })],
    ['a script for an address', () => issuer.description({ authorization_endpoint: 'javascript:alert(1)' })],
    ['a redirect', () => ({ status: 302, headers: { location: 'https://other.example' }, body: '' })],
    ['more than is looked at', () => issuer.description({ filler: 'x'.repeat(300_000) })],
  ])('leaves out an issuer that returns %s, says so, and asks again half a minute later', async (_name, answer) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const directory = open();
    issuer.answer = answer;
    expect(await directory.list()).toEqual([]);
    expect(logged).toEqual(['a provider of social login does not say where people sign in']);
    issuer.answer = () => issuer.description();
    expect(await directory.list()).toEqual([]);
    at(31_000);
    expect(await directory.list()).toEqual([signIn()]);
  });

  it('leaves out an issuer that gives browsers no id tokens, and one that is not there', async () => {
    issuer.answer = () => issuer.description({ response_types_supported: ['code', 'id_token token'] });
    expect(await open().list()).toEqual([]);
    expect(await open({ issuer: ['accounts.example.org', 'http://example.org'] }).list()).toEqual([]);
    expect(await open({ issuer: ['http://127.0.0.1:9'] }).list()).toEqual([]);
  });

  it('goes on for a day with what an issuer said last', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const directory = open();
    await directory.list();
    issuer.answer = () => ({ status: 503, body: '' });
    at(23 * 60 * 60_000);
    expect(await directory.list()).toEqual([signIn()]);
    at(2 * 60 * 60_000);
    expect(await directory.list()).toEqual([]);
  });
});
