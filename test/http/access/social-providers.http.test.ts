import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_ID, SocialIssuer } from '../../setup/social-issuer.ts';
import { startTestServer, type TestServer } from '../harness.ts';

let issuer: SocialIssuer;
let server: TestServer;
beforeEach(async () => {
  issuer = await SocialIssuer.start();
  issuer.answer = (url) => (url.startsWith('/.well-known/') ? issuer.description() : issuer.keySet([issuer.key]));
  const gone = issuer.provider({ issuer: 'http://127.0.0.1:9' });
  server = await startTestServer({ socialProviders: { okta: issuer.provider({ sign_up_domains: [] }), custom: gone } });
});
afterEach(() => Promise.all([server.close(), issuer.stop()]));

const anonymous = { headers: { 'service-api-key': '' } };

describe('GET /v2/login/social/providers', () => {
  it('tells whoever asks where to get an id token, and leaves out who cannot be reached', async () => {
    const reply = await server.request('GET', '/v2/login/social/providers', undefined, anonymous);
    expect(reply.status).toBe(200);
    const authorization_endpoint = `${issuer.issuer}/authorize`;
    expect(reply.body).toEqual({
      providers: [{ provider: 'okta', client_id: CLIENT_ID, authorization_endpoint, flow: 'implicit' }],
    });
  });

  it('gives what a login then takes', async () => {
    const { body } = await server.request('GET', '/v2/login/social/providers', undefined, anonymous);
    const id_token = await issuer.token({ aud: body.providers[0].client_id, email: 'new@example.org', email_verified: true });
    const login = await server.request('POST', '/v2/login/social', { provider: body.providers[0].provider, id_token }, anonymous);
    expect(login.status).toBe(200);
  });

  it('is empty where no provider is set up', async () => {
    const bare = await startTestServer();
    expect((await bare.request('GET', '/v2/login/social/providers', undefined, anonymous)).body).toEqual({ providers: [] });
    await bare.close();
  });
});
