import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { SeenRequest } from '../../../plugin-kit/fake-provider.ts';
import { SAMPLE_SIGN_IN } from '../../../plugin-kit/identity-provider/identity-case.ts';
import { openidConnect } from './index.ts';

const issuer = 'https://id.example.org';
const at = Date.parse('2026-01-01T00:00:00Z') / 1000;
const [own, foreign] = await Promise.all([generateKeyPair('ES256', { extractable: true }), generateKeyPair('ES256')]);
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };

const claims = {
  iss: issuer,
  aud: 'touchstone',
  sub: 'person-1',
  iat: at - 60,
  exp: at + 600,
  email: 'ann@example.org',
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Lee',
};

const sign = (facts: JWTPayload, header: object = {}, { privateKey } = own): Promise<string> =>
  new SignJWT({ ...claims, ...facts }).setProtectedHeader({ alg: 'ES256', kid: 'key-1', ...header }).sign(privateKey);

/** The payload says another subject than the one that was signed. */
async function withOtherPayload(token: string): Promise<string> {
  const [header, , signature] = token.split('.');
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'person-2' })).toString('base64url')}.${signature}`;
}

async function makeCredentials() {
  const good = await sign({});
  return {
    good,
    other: await sign({ sub: 'person-2' }),
    silent_about_email: await sign({ email_verified: undefined }),
    bad: {
      expired: await sign({ iat: at - 500, exp: at - 100 }),
      not_yet_good: await sign({ nbf: at + 600 }),
      of_another_audience: await sign({ aud: 'somebody-else' }),
      of_another_issuer: await sign({ iss: 'https://other.example' }),
      unsigned: new UnsecuredJWT(claims).encode(),
      of_another_key: await sign({}, {}, foreign),
      changed: await withOtherPayload(good),
      without_subject: await sign({ sub: undefined }),
      of_another_kind: await sign({}, { typ: 'at+jwt' }),
    },
  };
}

const REPLIES: Readonly<Record<string, unknown>> = {
  [`${issuer}/keys`]: { keys: [jwk] },
  [`${issuer}/.well-known/openid-configuration`]: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  },
};

const NONCE = SAMPLE_SIGN_IN.nonce;
const [goodToken, tokenOfAnother, tokenForAnother] = await Promise.all([
  sign({ nonce: NONCE }),
  sign({ nonce: 'of-another-sign-in' }),
  sign({ nonce: NONCE, aud: 'somebody-else' }),
]);
const CODES: Readonly<Record<string, string>> = {
  'good-code': goodToken,
  'code-of-another-sign-in': tokenOfAnother,
  'code-for-another': tokenForAnother,
};

/** As a token endpoint: for the right client and verifier alone. */
function exchange({ headers, body }: SeenRequest): unknown {
  const form = new URLSearchParams(body);
  const client = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  const isRight = client === 'touchstone:canary-of-openid-connect' && form.get('code_verifier') === SAMPLE_SIGN_IN.code_verifier;
  const id_token = CODES[form.get('code') ?? ''];
  return isRight && id_token !== undefined ? { id_token, token_type: 'Bearer' } : undefined;
}

/** The case that the kit tries the plugin with. */
export const openidConnectKit = {
  plugin: openidConnect,
  settings: { issuer, audience: 'touchstone', client_secret: 'canary-of-openid-connect' },
  otherSettings: { issuer, audience: 'another', client_secret: 'canary-of-openid-connect', jwks_url: `${issuer}/keys` },
  folder: import.meta.dirname,
  credentials: makeCredentials,
  upstream: (request: SeenRequest) => (request.url === `${issuer}/token` ? exchange(request) : REPLIES[request.url]),
  expected: {
    issuer,
    subject: 'person-1',
    email: 'ann@example.org',
    email_verified: true,
    first_name: 'Ann',
    last_name: 'Lee',
    expires_at: '2026-01-01T00:10:00.000Z',
  },
  codes: { good: 'good-code', bad: ['code-of-another-sign-in', 'code-for-another', 'unknown-code'] },
  signIn: { client_id: 'touchstone', authorization_endpoint: `${issuer}/authorize` },
} as const;
