import { describe, expect, it } from 'vitest';
import { getIdToken, type PendingSignIn, readReturn, signInAddress } from './social-return.ts';

const provider = { provider: 'okta', client_id: 'a b&c', authorization_endpoint: 'https://id.example/authorize?tenant=7' };
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
