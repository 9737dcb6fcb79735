import { sampleIdentity } from './index.ts';

const endpoint = 'https://id.sample-identity.example/oauth2';
const now = Date.parse('2026-01-01T00:00:00Z') / 1000;
const good = {
  active: true,
  iss: endpoint,
  sub: 'person-1',
  aud: 'touchstone',
  exp: now + 600,
  email: 'ann@example.org',
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Lee',
};

/** Replies of the upstream service, by token. */
const tokens = {
  good,
  other: { ...good, sub: 'person-2' },
  silent_about_email: { ...good, email_verified: undefined },
  expired: { ...good, exp: now - 1 },
  not_yet_good: { ...good, nbf: now + 600 },
  of_another_audience: { ...good, aud: 'somebody-else' },
  of_another_issuer: { ...good, iss: 'https://other.example' },
  without_subject: { ...good, sub: undefined },
  of_another_kind: { ...good, token_type: 'refresh_token' },
};

/** The case that the kit tries the plugin with. */
export const sampleIdentityKit = {
  plugin: sampleIdentity,
  settings: { endpoint, client_id: 'touchstone', token: 'canary-of-sample-identity' },
  otherSettings: { endpoint, client_id: 'another', token: 'canary-of-sample-identity' },
  folder: import.meta.dirname,
  credentials: async () => {
    const named = (name: string) => `token-that-is-${name}`;
    const bad = Object.fromEntries(
      Object.keys(tokens)
        .slice(3)
        .map((name) => [name, named(name)]),
    );
    return { good: named('good'), other: named('other'), silent_about_email: named('silent_about_email'), bad };
  },
  upstream: ({ url, body }: { readonly url: string; readonly body: string }) => {
    if (url !== `${endpoint}/introspect`) return undefined;
    const name = new URLSearchParams(body).get('token')?.replace('token-that-is-', '') ?? '';
    return Object.entries(tokens).find(([known]) => known === name)?.[1] ?? { active: false };
  },
  expected: {
    issuer: endpoint,
    subject: 'person-1',
    email: 'ann@example.org',
    email_verified: true,
    first_name: 'Ann',
    last_name: 'Lee',
    expires_at: '2026-01-01T00:10:00.000Z',
  },
  // Nothing is signed: the upstream service says of each token what it is.
  lacks: ['unsigned', 'of_another_key', 'changed'],
} as const;
