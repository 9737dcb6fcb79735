import { defineIdentityProvider, Endpoint, httpClient, Token, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  endpoint: Endpoint.describe('Where tokens are looked up (RFC 7662).'),
  client_id: z.string().min(1).max(200).describe('The client that tokens have to be made for.'),
  token: Token.describe('The key of the service at the endpoint.'),
});

/** Only what is read: the upstream service may add fields without breaking us. */
const Reply = z.discriminatedUnion('active', [
  z.object({ active: z.literal(false) }),
  z.object({
    active: z.literal(true),
    iss: z.string(),
    sub: z.string().min(1),
    aud: z.string(),
    exp: z.number(),
    nbf: z.number().optional(),
    token_type: z.string().optional(),
    email: z.string().nullish(),
    email_verified: z.boolean().nullish(),
    given_name: z.string().nullish(),
    family_name: z.string().nullish(),
  }),
]);

export const sampleIdentity = defineIdentityProvider({
  id: 'sample_identity',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample identity',
  summary: 'Looks tokens up where they were issued.',
  settings: Settings,
  issuers: ({ endpoint }) => [endpoint],
  create: (host, { endpoint, client_id, token }) => {
    const client = httpClient(host, 'sample_identity');
    return {
      async identify(credential, signal) {
        signal.throwIfAborted();
        const headers = { authorization: `Bearer ${token}` };
        const body = new URLSearchParams({ token: credential });
        const found = await client.json(Reply, `${endpoint}/introspect`, { method: 'POST', headers, body, signal });
        const now = host.clock().getTime() / 1000;
        if (!found.active || found.iss !== endpoint || found.aud !== client_id || found.token_type === 'refresh_token')
          return undefined;
        if (found.exp <= now || (found.nbf ?? now) > now) return undefined;
        return {
          issuer: found.iss,
          subject: found.sub,
          email: found.email ?? null,
          email_verified: found.email_verified === true,
          first_name: found.given_name ?? null,
          last_name: found.family_name ?? null,
          expires_at: new Date(found.exp * 1000).toISOString(),
        };
      },
    };
  },
});
