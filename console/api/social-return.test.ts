import { describe, expect, it } from 'vitest';
import {
  getCode,
  getIdToken,
  type PendingSignIn,
  readCodeReturn,
  readReturn,
  type SocialSignIn,
  signInAddress,
} from './social-return.ts';

const provider: SocialSignIn = {
  ...{ provider: 'okta', client_id: 'a b&c', flow: 'implicit' },
  authorization_endpoint: 'https://id.example/authorize?tenant=7',
};
const pending: PendingSignIn = { provider: 'okta', state: 'state-1', nonce: 'nonce-1', place: '/projects/1' };
const tokenWith = (claims: object): string => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const returned = (facts: Record<string, string>) => readReturn(`#${new URLSearchParams(facts)}`)!;

describe('going to a provider', () => {
  it('asks for an id token in the fragment, and keeps what the address said before', () => {
    const address = new URL(signInAddress(provider, pending, 'https://here.example/prefix/'));
    expect(address.origin + address.pathname).toBe('https://id.example/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: '7',
      response_type: 'id_token',
      response_mode: 'fragment',
      scope: 'openid email profile',
      client_id: 'a b&c',
      redirect_uri: 'https://here.example/prefix/',
      state: 'state-1',
      nonce: 'nonce-1',
    });
  });
});

describe('coming back', () => {
  it.each(['', '#', '#/', '#/projects?id_token=x&state=y', '#other=1'])('is not taken out of the place %j', (hash) => {
    expect(readReturn(hash)).toBeUndefined();
  });

  it('brings the id token of this very sign-in', () => {
    const id_token = tokenWith({ nonce: 'nonce-1', name: 'Ünïcode ÿ?>' });
    expect(getIdToken(returned({ id_token, state: 'state-1' }), pending)).toBe(id_token);
  });

  it.each([
    ['another state', { state: 'state-2' }, { nonce: 'nonce-1' }, 'not begun in this tab'],
    ['no state', {}, { nonce: 'nonce-1' }, 'not begun in this tab'],
    ['another nonce', { state: 'state-1' }, { nonce: 'nonce-2' }, 'made for another sign-in'],
    ['no nonce', { state: 'state-1' }, {}, 'made for another sign-in'],
  ])('is refused with %s', (_name, facts, claims, message) => {
    expect(() => getIdToken(returned({ id_token: tokenWith(claims), ...facts }), pending)).toThrow(message);
  });

  it('is refused when nobody in this tab went away, and with a token that is none', () => {
    expect(() => getIdToken(returned({ id_token: tokenWith({ nonce: 'nonce-1' }), state: 'state-1' }), undefined)).toThrow(
      'not begun in this tab',
    );
    expect(() => getIdToken(returned({ id_token: 'no token', state: 'state-1' }), pending)).toThrow('another sign-in');
  });

  it('tells why the provider refused', () => {
    const refused = returned({ error: 'access_denied', error_description: 'not today', state: 'state-1' });
    expect(() => getIdToken(refused, pending)).toThrow('okta did not sign you in: not today');
  });
});

describe('coming back with a code', () => {
  const come = (facts: Record<string, string>) => readCodeReturn(`?${new URLSearchParams(facts)}`)!;

  it.each(['', '?', '?theme=dark'])('is not taken out of the query %j', (search) => {
    expect(readCodeReturn(search)).toBeUndefined();
  });

  it('brings the code of this very sign-in, and who sent it where that is said', () => {
    expect(getCode(come({ code: 'c', state: 'state-1' }), pending)).toEqual({ code: 'c', state: 'state-1' });
    const named = { code: 'c', state: 'state-1', iss: 'https://id.example' };
    expect(getCode(come(named), pending)).toEqual(named);
  });

  it('shows why the provider refused, and nothing of an answer that this tab did not ask for', () => {
    const refused = { error: 'access_denied', error_description: 'call 555-0100', state: 'state-1' };
    expect(() => getCode(come(refused), pending)).toThrow('okta did not sign you in: call 555-0100');
    for (const strange of [come({ ...refused, state: 'x' }), come({ code: 'c' })])
      expect(() => getCode(strange, pending)).toThrow(/^the sign-in was not begun in this tab/);
    expect(() => getCode(come(refused), undefined)).toThrow(/^the sign-in was not begun in this tab/);
  });
});
