import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodeIssuer } from '../../setup/code-issuer.ts';
import { type Reply, startTestServer, type TestServer } from '../harness.ts';

const PUBLIC_URL = 'https://touchstone.example/eval';
let issuer: CodeIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await CodeIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(async () => {
  issuer.tampered = {};
  issuer.facts = {};
  issuer.tokenReply = undefined;
  issuer.person = { sub: 'person-1', email: 'ada@example.org', email_verified: true, given_name: 'Ada' };
  issuer.social.asked.length = 0;
  server = await startTestServer({ publicUrl: PUBLIC_URL, socialProviders: { okta: issuer.provider() } });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Cookies as one browser keeps them. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  async post(path: string, body: object, of: TestServer = server): Promise<Reply> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await of.request('POST', path, body, { headers: { 'service-api-key': '', cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }

  keep(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async begin(): Promise<URL> {
    const { status, body } = await this.post('/v2/login/social/authorize', { provider: 'okta' });
    expect(status).toBe(200);
    return new URL(body.authorization_url);
  }

  end = (answer: object): Promise<Reply> => this.post('/v2/login/social/code', answer);
}

/** Goes to the provider, which sends the browser back at once. */
async function visit(url: URL): Promise<{ code: string; state: string; iss: string }> {
  const { headers, status } = await fetch(url, { redirect: 'manual' });
  expect(status).toBe(302);
  const location = new URL(headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe(`${PUBLIC_URL}/`);
  return Object.fromEntries(location.searchParams) as { code: string; state: string; iss: string };
}

const actions = async () =>
  (await server.cradle.auditStore.list({}, { offset: 0, limit: 100 })).map(({ action }) => action).reverse();
const NOT_BEGUN = { status: 401, body: { code: 'sign_in_not_begun' } };
const REFUSED = { status: 401, body: { code: 'login_refused' } };

describe('a sign-in by a code', () => {
  it('is offered, leads to the provider and back, and gives a session like any other', async () => {
    const { providers } = (await server.request('GET', '/v2/login/social/providers')).body;
    expect(providers).toEqual([
      { provider: 'okta', client_id: 'touchstone-test', authorization_endpoint: `${issuer.issuer}/authorize`, flow: 'code' },
    ]);
    const browser = new Browser();
    const url = await browser.begin();
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'touchstone-test',
      scope: 'openid email profile',
      redirect_uri: `${PUBLIC_URL}/`,
      state: expect.stringMatching(/^\w{43}$/),
      nonce: expect.stringMatching(/^\w{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const ended = await browser.end(await visit(url));
    expect(ended).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
    expect([...browser.cookies.keys()]).toEqual(['refresh_token']);
    const headers = { authorization: `Bearer ${ended.body.access_token}`, 'service-api-key': '' };
    const me = (await server.request('GET', '/v2/current_user', undefined, { headers })).body;
    expect(me).toMatchObject({ email: 'ada@example.org', first_name: 'Ada', auth_method: 'okta' });
    expect(await actions()).toEqual(expect.arrayContaining(['user.sign_up', 'login.social']));
    expect((await browser.post('/v2/refresh_token', {})).status).toBe(200);
    expect((await browser.post('/v2/logout', {})).status).toBe(200);
    expect((await browser.post('/v2/refresh_token', {})).status).toBe(401);
    expect(JSON.stringify(server.logged)).not.toMatch(/a secret: of the client/);
  });

  it('keeps what belongs to it out of the reach of scripts and other sites, for ten minutes', async () => {
    const reply = await server.request('POST', '/v2/login/social/authorize', { provider: 'okta' });
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign_in=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=600$/),
    ]);
    const behindTls = await startTestServer({
      publicUrl: PUBLIC_URL,
      socialProviders: { okta: issuer.provider() },
      trustedProxies: 1,
    });
    const headers = { 'x-forwarded-proto': 'https' };
    const secured = await behindTls.request('POST', '/v2/login/social/authorize', { provider: 'okta' }, { headers });
    await behindTls.close();
    expect(secured.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-sign_in=.*; Path=\/; .*; Secure$/)]);
    const { state, nonce } = Object.fromEntries(new URL(reply.body.authorization_url).searchParams);
    for (const known of [state!, nonce!]) expect(reply.headers.getSetCookie().join()).not.toContain(known);
  });

  it('ends in the browser that began it alone, and only once', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    const answer = await visit(await browser.begin());
    await other.begin();
    expect(await other.end(answer)).toMatchObject(NOT_BEGUN);
    expect(await new Browser().end(answer)).toMatchObject(NOT_BEGUN);
    const sealed = browser.cookies.get('sign_in')!;
    expect((await browser.end(answer)).status).toBe(200);
    const replaying = new Browser();
    replaying.keep('sign_in', sealed);
    expect(await replaying.end(answer)).toMatchObject(NOT_BEGUN);
  });

  it('does not take the code of another sign-in, nor the session that was there before', async () => {
    const [victim, attacker] = [new Browser(), new Browser()];
    victim.keep('refresh_token', 'tsr_planted-by-somebody');
    const stolen = await visit(await victim.begin());
    const own = await visit(await attacker.begin());
    expect(await attacker.end({ ...own, code: stolen.code })).toMatchObject(REFUSED);
    const again = await visit(await victim.begin());
    expect((await victim.end(again)).status).toBe(200);
    expect(victim.cookies.get('refresh_token')).not.toBe('tsr_planted-by-somebody');
  });

  it.each<[string, (sealed: string) => string]>([
    ['no cookie', () => ''],
    ['garbage', () => 'x'],
    ['JSON of its own', () => Buffer.from(JSON.stringify({ key_id: 'x', key: 'x', fields: [] })).toString('base64url')],
    ['a changed cookie', (sealed) => `${sealed.slice(0, -40)}${sealed.slice(-40).replaceAll(/[a-m]/g, 'z')}`],
    ['a long one', (sealed) => sealed.repeat(8)],
  ])('is not ended with %s', async (_what, change) => {
    const browser = new Browser();
    const answer = await visit(await browser.begin());
    browser.keep('sign_in', change(browser.cookies.get('sign_in') ?? ''));
    expect(await browser.end(answer)).toMatchObject(NOT_BEGUN);
  });

  it('is over after ten minutes, and with another state', async () => {
    const browser = new Browser();
    const answer = await visit(await browser.begin());
    expect(await browser.end({ ...answer, state: `${answer.state}x` })).toMatchObject(NOT_BEGUN);
    const late = new Browser();
    const lateAnswer = await visit(await late.begin());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect(await late.end(lateAnswer)).toMatchObject(NOT_BEGUN);
  });

  it.each<[string, () => void]>([
    ['another nonce', () => answerWith({ nonce: 'of-an-earlier-one' })],
    ['no nonce', () => answerWith({ nonce: undefined })],
    ['another audience', () => answerWith({ aud: 'somebody-else' })],
    ['another issuer', () => answerWith({ iss: 'https://other.example' })],
    ['an end that is over', () => answerWith({ exp: Math.floor(Date.now() / 1000) - 100 })],
  ])('is refused when the id token has %s', async (_what, plant) => {
    plant();
    const browser = new Browser();
    expect(await browser.end(await visit(await browser.begin()))).toMatchObject(REFUSED);
  });

  /** The right nonce, unless the facts say otherwise. */
  function answerWith(facts: Readonly<Record<string, unknown>>): void {
    issuer.tokenReply = async ({ asked, claims }) => {
      const id_token = await issuer.social.token({ ...claims, nonce: asked.nonce, ...facts });
      return { body: JSON.stringify({ id_token }) };
    };
  }

  it('is refused where the response came from another issuer, or does not say from which', async () => {
    const browser = new Browser();
    const { iss: _, ...silent } = await visit(await browser.begin());
    expect(await browser.end(silent)).toMatchObject(REFUSED);
    const other = await visit(await browser.begin());
    expect(await browser.end({ ...other, iss: 'https://other.example' })).toMatchObject(REFUSED);
  });

  it('asks the provider once for each sign-in that has begun, and is 503 while it is away', async () => {
    issuer.tokenReply = () => ({ status: 503, body: '' });
    const browser = new Browser();
    const reply = await browser.end(await visit(await browser.begin()));
    expect(reply).toMatchObject({ status: 503, body: { code: 'identity_provider_unavailable' } });
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(issuer.social.asked.filter((path) => path === '/token')).toHaveLength(1);
  });

  it('learns an address that the token is silent about from the userinfo of the same person', async () => {
    issuer.tokenReply = async ({ asked }) => {
      const id_token = await issuer.social.token({ sub: 'person-1', nonce: asked.nonce });
      return { body: JSON.stringify({ id_token, access_token: 'an-access-token' }) };
    };
    const browser = new Browser();
    expect((await browser.end(await visit(await browser.begin()))).status).toBe(200);
    issuer.person = { ...issuer.person, sub: 'somebody-else' };
    expect(await browser.end(await visit(await browser.begin()))).toMatchObject(REFUSED);
  });

  it('logs in nobody who may not: no account without a sign-up domain, none for a disabled user', async () => {
    await server.close();
    const socialProviders = { okta: issuer.provider({ sign_up_domains: ['other.example'] }) };
    server = await startTestServer({ publicUrl: PUBLIC_URL, socialProviders });
    const browser = new Browser();
    expect(await browser.end(await visit(await browser.begin()))).toMatchObject(REFUSED);
  });
});

describe('how sign-ins by a code are set up', () => {
  it('needs PUBLIC_URL, so that no request says where browsers are sent back to', async () => {
    const started = startTestServer({ socialProviders: { okta: issuer.provider() } });
    await expect(started).rejects.toThrow('SOCIAL_PROVIDERS: okta: the code flow needs PUBLIC_URL');
  });

  it('is refused for providers that are not set up for it', async () => {
    const body = { provider: 'google', redirect_uri: 'https://evil.example' };
    expect(await new Browser().post('/v2/login/social/authorize', body)).toMatchObject({
      status: 400,
      body: { code: 'provider_not_configured' },
    });
    const ignored = await server.request('POST', '/v2/login/social/authorize', { ...body, provider: 'okta' });
    expect(new URL(ignored.body.authorization_url).searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/`);
  });

  it('works for a public client, and for one that proves itself in the form', async () => {
    issuer.facts = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const forms: string[] = [];
    const { answer } = issuer.social;
    issuer.social.answer = (url, request) => {
      if (url === '/token')
        forms.push(`${request.headers.authorization ?? 'no header'} ${new URLSearchParams(request.body).get('client_secret')}`);
      return answer(url, request);
    };
    for (const facts of [{}, { client_secret: undefined, flow: 'code' }]) {
      const its = await startTestServer({ publicUrl: PUBLIC_URL, socialProviders: { okta: issuer.provider(facts) } });
      const browser = new Browser();
      const { body } = await browser.post('/v2/login/social/authorize', { provider: 'okta' }, its);
      await browser.post('/v2/login/social/code', await visit(new URL(body.authorization_url)), its);
      await its.close();
    }
    issuer.social.answer = answer;
    expect(forms).toEqual(['no header a secret: of the client & more', 'no header null']);
  });
});
